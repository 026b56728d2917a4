package kind

// wordTable is the one table of words of languages.
const wordTable = `# The words of languages that a change is recognised by until its place has a history.
# A section in brackets, then one line per language: entries with commas between.
# A star stands for any ending of the last word. Nothing here names a site.

[state]
en: in stock, out of stock, sold out, available, unavailable, pre-order, backorder, cancelled, canceled, postponed, rescheduled, open, closed, outage, operational, degraded, down, resolved, investigating, identified, monitoring, maintenance, delayed, on time, departed, boarding, discontinued, expired, active, suspended, accepting applications, filled, systems normal, fully booked, no places left, reserved, on loan, on hold, deprecated, withdrawn, recalled, in progress, end of life, diverted, no vacancies
de: auf lager, lieferbar, ausverkauft, verfügbar, vergriffen, vorrätig, abgesagt, verschoben, geöffnet, geschlossen, gesperrt, frei, störung, behoben, in betrieb, außer betrieb, wartung, verspätet, pünktlich, besetzt, ausgebucht, reserviert, ausgeliehen, entfällt, ausgefallen, beendet, abgelaufen, eingestellt, aufgehoben, letzte plätze
fr: en stock, rupture de stock, épuisé, disponible, indisponible, complet, annulé*, reporté*, ouvert*, fermé*, panne, opérationnel*, rétabli*, retardé*, à l'heure, places disponibles, réservé*, emprunté, suspendu*, expiré*, interrompu*, supprimé*, hors service, plus de places
es: agotad*, cancelad*, aplazad*, abiert*, cerrad*, interrupción, operativ*, resuelt*, retrasad*, a tiempo, mantenimiento, completo, plazas disponibles, sin plazas, reservad*, prestad*, suspendid*, finalizad*, avería, restablecid*, sin existencias, anulad*, descatalogad*
it: esaurit*, annullat*, rinviat*, apert*, chius*, guasto, risolt*, in ritardo, in orario, manutenzione
nl: op voorraad, uitverkocht, beschikbaar, afgelast, geannuleerd, uitgesteld, gesloten, storing, operationeel, opgelost, vertraagd, op tijd, onderhoud, volgeboekt, volzet
pt: em estoque, em stock, esgotad*, disponível, indisponível, adiad*, abert*, fechad*, falha, operacional, resolvid*, atrasad*, manutenção, lotado, vagas disponíveis
pl: dostępn*, niedostępn*, wyprzedan*, odwołan*, przełożon*, otwart*, zamknięt*, awaria, działa, opóźnion*, brak miejsc, wolne miejsca
sv: i lager, slutsål*, tillgänglig, inställd*, uppskjut*, öppet, öppen, stängt, stängd, stängda, driftstörning, försenad, inställt, fullbokat, fullbokad, platser kvar
cs: skladem, vyprodáno, dostupn*, nedostupn*, zrušen*, odložen*, otevřen*, zavřen*, výpadek, zpožděn*, včas, obsazeno, volná místa, volno
fi: varastossa, loppuunmyyty, saatavilla, peruttu, peruutettu, siirretty, avoinna, suljettu, häiriö, myöhässä, aikataulussa, täynnä, paikkoja vapaana
nb: på lager, utsolgt, tilgjengelig, utilgjengelig, avlyst, innstilt, utsatt, åpen, åpent, stengt, driftsforstyrrelse, forsinket, i rute, fulltegnet, fullbooket
da: udsolgt, tilgængelig, utilgængelig, aflyst, udskudt, åben, åbent, lukket, til tiden, fuldt booket
ru: в наличии, распродано, доступ*, недоступ*, отмен*, перенес*, открыт*, закрыт*, сбой, работает, задерж*, мест нет, есть места
tr: stokta, tükendi, mevcut, iptal*, ertelendi, açık, kapalı, arıza
ja: 在庫あり, 在庫なし, 在庫切れ, 売り切れ, 完売, 販売中, 受付中, 受付終了, 中止, 延期, 営業中, 休業, 運休, 運転見合わせ, 平常運転, 遅延, 障害, 復旧, 正常, 満席, 空席, 準備中, 閉店, 開店中, 空室, 満室, 貸出中, 貸出可, 募集中, 募集終了, 締切, 停止中, 閉館, 休館, 欠航, 入荷待ち, 販売終了, メンテナンス
zh: 有货, 缺货, 无货, 售罄, 现货, 有貨, 缺貨, 售完, 取消, 开放, 关闭, 開放, 關閉, 故障, 中断, 恢复, 延误, 已借出, 在架, 已截止, 暂停, 停运, 闭馆, 已结束, 进行中, 下架, 维护中, 額滿, 暫停, 停駛, 已結束, 維護中
ko: 재고 있음, 품절, 판매중, 매진, 취소, 연기, 영업 중, 휴무, 장애, 정상, 지연, 예약 가능, 대출중, 대출가능, 모집중, 마감, 종료, 결항, 휴관, 단종, 점검
ar: متوفر, نفد, مفتوح, مغلق, ملغى, مؤجل
hi: उपलब्ध, अनुपलब्ध, रद्द, स्थगित, खुला, बंद
hu: raktáron, készleten, elfogyott, elérhető, elmarad*, elhalasztva, törölve, nyitva, zárva, késik, üzemzavar, karbantartás, foglalt
ro: în stoc, epuizat*, indisponibil*, disponibil*, anulat*, amânat*, deschis*, închis*, întârzi*, avarie, remediat*, rezervat*, împrumutat*, suspendat*, în desfășurare
uk: в наявності, розпродано, скасован*, відкрит*, закрит*, затриму*, відновлен*, аварія, зарезервован*, призупинен*, завершен*, працює
el: σε απόθεμα, διαθέσιμο, εξαντλ*, ακυρώ*, αναβ*, ανοιχτ*, κλειστ*, καθυστέρ*, βλάβη, αποκατα*, κράτηση, σε λειτουργία, εκτός λειτουργίας, πλήρες, έληξε
id: tersedia, stok habis, dibatalkan, ditunda, terlambat, tepat waktu, gangguan, pulih, dipesan, dipinjam, berlangsung, dibuka, ditutup
vi: còn hàng, hết hàng, có sẵn, hết vé, còn vé, hết chỗ, còn chỗ, đã hủy, đang mở, mở cửa, đóng cửa, tạm ngừng, tạm dừng, sự cố, bảo trì, đúng giờ
ca: en estoc, esgotat, exhaurit, exhaurida, cancel·lat, cancel·lada, ajornat, ajornada, obert, oberta, oberts, tancat, tancada, tancats
he: במלאי, אזל, זמין, בוטל, בוטלה, נדחה, נדחתה, פתוח, פתוחה, סגור, סגורה, עיכוב, תקלה

[count]
en: view, views, viewed, viewing, viewers, viewer, watching, visitor, visitors, visits, hits, like, likes, liked, share, shares, shared, star, stars, stargazers, fork, forks, watchers, comment, comments, reply, replies, response, responses, review, reviews, rating, ratings, upvotes, claps, reactions, download, downloads, downloaded, installs, follower, followers, following, subscribers, online, reads, plays, listeners, retweets, reposts, bookmarks, bookmarked, favourites, saved this, saved it, people saved, added to, found this useful, helpful, people found, think this, issues, pull requests, commits, contributors, contributor, posts, topics, threads, sold, bought, purchases, purchased, bids watched, rated, readers, reader, subscribe, queries, sessions, clicks, impressions, streams, scrobbles, backers, supporters, signatures, endorsements, mentions, watch, in their cart, in carts, min read, minute read, mins read, minutes read, reading time, reacted, dependents, dependants, in the queue, in queue, looking at, are looking, hearts, donors, guests, booked, lent, borrowed, loaned, loans, customers, users, thanked, pledges, pledged, read by, pageviews, favs, faves, applicants, pulls, passengers now, pageview, transactions, throughput, error rate
de: aufrufe, aufruf, ansichten, besucher, gelesen, gefällt, geteilt, teilen, sterne, antworten, antwort, bewertung, bewertungen, rezension, rezensionen, stimmen, heruntergeladen, abonnenten, sehen sich, schauen sich, lesezeit, lesedauer, angesehen, beobachter, beobachten, merken, gemerkt, merkliste, gäste, beiträge, themen, verkauft, zugriffe, klicks, hörer, leser, hilfreich, fanden das, personen fanden, interessenten, unterschriften, unterstützer, in der warteschlange, merkzettel, herzen, spender, gebucht, ausgeliehen, ausleihen, kunden, nutzer, unterzeichner, abonniert, seitenaufrufe, besuche, bewerber, bewerbungen, bedanken
fr: vue, vues, visiteur*, visites, j'aime, aime, partage*, étoiles, commentaire*, réponse*, avis, évaluation*, téléchargement*, abonné*, en ligne, consultent, regardent, lecture, vu, sujets, ajouté à, vendus, achats, lecteurs, auditeurs, clics, écoutes, utile, ont trouvé, personnes ont, j'aimes, connectés, suivent, intéressés, réaction*, en attente, dans la file, donateurs, cœurs, consultations, emprunté, prêts, clients, utilisateurs, candidats, candidatures, contributeurs, affichages, lus, remercient, emprunts
es: visita, visitas, vistas, visualizaciones, visitante*, me gusta, compartid*, compartir, estrellas, comentario*, respuesta*, reseña*, valoraci*, descarga*, seguidor*, suscriptor*, en línea, viendo, lectura, visto, temas, vendidos, lectores, oyentes, útil, interesados, firmas, conectados, personas han, reacciones, candidatos, inscritos, en la cola, donantes, corazones, reservado, préstamos, prestado, clientes, usuarios, lecturas, reproducciones, candidaturas, agradecimientos
it: visualizzazion*, visite, visitator*, mi piace, condivision*, stelle, commento, commenti, risposte, recension*, valutazion*, vot*, scaricat*, iscritti, seguaci, in linea, guardando, lettura, discussioni, preferiti, venduti, lettori, ascoltatori, clic, firme, collegati, spettatori, persone hanno, interessati, reazioni, in coda, candidati, candidature, donatori, cuori, prenotato, prestiti, clienti, utenti, letture, ascolti, letto, visualizzato
nl: weergaven, bekeken, bezoeker*, vind ik leuk, gedeeld, sterren, reactie, reacties, antwoorden, beoordeling*, recensie*, stemmen, volgers, abonnees, bekijken, leestijd, onderwerpen, verkocht, lezers, luisteraars, nuttig, kijkers, geïnteresseerden, handtekeningen, sollicitanten, in de wachtrij, hartjes, geboekt, uitgeleend, uitleningen, rapportcijfer, waardering, inwoners, klanten, gebruikers, gelezen, keer gedownload, bezoeken, kandidaten, uitleen
pt: visualizaç*, curtidas, gostos, compartilhament*, partilhas, estrelas, comentário*, respostas, avaliaç*, transferências, on-line, vendo, leitura, tópicos, leitores, ouvintes, cliques, assinaturas, interessados, reações, na fila, doadores, corações, empréstimos, usuários, utilizadores, leituras, reproduções, acessos
pl: wyświetle*, odsłon*, odwiedz*, polubie*, udostępnie*, gwiazd*, komentarz*, odpowiedzi, opini*, ocen*, głos*, pobrań, pobrania, obserwując*, ogląda, czytania, darczyńców, serca, serc, wypożyczeń, wypożyczono, klientów, użytkowników, posty, postów, podziękowa*, wątków, tematów, użytkownicy, gości, czytelnik*, zapisanych, kandydat*, wizyt, lubi to, udziałów, wejść, przeczytan*, obserwuje
sv: visningar, besökare, gillar, delningar, stjärnor, kommentar*, svar, betyg, röster, nedladdningar, följare, tittar, lästid, min läsning, i kön, besök, anmälningar, sökande, givare, hjärtan, utlån, lånad, kunder, användare, visning, läst, läsare, prenumeranter, sålda, delat, underskrifter
cs: zobrazení, návštěvník*, líbí se, sdílení, hvězd*, komentář*, odpověd*, recenz*, hodnocení, hlas*, sledujíc*, prohlíží, min čtení, ve frontě, srdíček, dárců, návštěv, výpůjček, zákazník*, uživatel*, zhlédnut*, přečteno, čtenář*, odběratel*, příspěvk*, podpis*, prodáno, to se líbí, uchazeč*, stažen*
fi: katselu*, kävijä*, tykkäy*, jako*, tähteä, kommenttia, kommentti, vastausta, arvostelu*, ääntä, lataus*, seuraaja*, paikalla, katselee, lukuaika, jonossa, sydäntä, lainauksia, lainaa, asiakas*, asiakkaa*, käyttäj*, katsottu, luettu, lukija*, ladattu, jaettu, käyntiä, reaktio*, hakija*, ilmoittautu*, peukku*, arvio*, allekirjoit*, vierailija*
nb: visninger, besøkende, liker, delinger, stjerner, anmeldelse*, omtaler, stemmer, nedlastinger, følgere, pålogget, ser på, lesetid, min lesing, i køen, hjerter, brukere, lest, lesere, donasjoner, abonnenter, delt, besøk, reaksjoner, nedlastet, lastet ned, tilhengere, søkere, påmeldte
da: besøgende, synes godt om, bedømmelse*, ser denne, læsetid, min læsning, udlån, udlånt, brugere, læst, læsere, solgte, besøg, downloadet
ru: просмотр*, посетител*, посещени*, лайк*, нравится, поделились, звёзд*, звезд*, комментари*, ответ*, отзыв*, оцен*, голос*, скачиван*, онлайн, смотрят, чтения, чел, сердеч*, выдано, читател*, прочита*, подпис*, репост*, загруз*, покупател*, в избранном, кандидат*, донат*
tr: görüntüle*, beğeni*, paylaşım*, yıldız*, yorum*, yanıt*, değerlendirme*, oy, indirme*, takipçi*, çevrimiçi, okuma, kişi, bağışçı, okundu, okunma, satıldı adet, abone*, dinleyici*, destekçi*, imza*, ziyaret*, favori*, kullanıcı*, izleyici*, bakıyor, inceliyor, beğendi
ja: 役に立ち, 閲覧, 回視聴, 回再生, 再生回数, ビュー, いいね, シェア, スター, コメント, 返信, 口コミ, クチコミ, 評価, 投票, ダウンロード, フォロワー, 登録者, オンライン, が見ています, 分で読めます, 読了, 販売数, お気に入り, 待ち人数, 貸出, 既読, 人が購入, 利用者, 応募者, 応募数, ブックマーク, 視聴者, 訪問, pv, 拍手, 支援者, 賛同, 読者, 予約者, 人待ち, リツイート, 参考になった, 役に立った, 読む時間
zh: 浏览, 瀏覽, 阅读, 閱讀, 观看, 觀看, 次播放, 访客, 訪客, 赞, 分享, 转发, 收藏, 评论, 評論, 留言, 回复, 回覆, 评价, 評價, 评分, 下载, 下載, 粉丝, 关注, 在线, 線上, 正在查看, 人在看, 销量, 已售, 人付款, 借出, 外借, 人气, 人氣, 点击, 點擊, 热度, 熱度, 访问量, 人已读, 回帖, 弹幕, 订阅, 訂閱, 追蹤, 报名人数, 報名人數, 贊助人, 人想买, 成交, 加购, 人购买, 有用, 讀者, 读者, 聽眾, 人收看, 點閱, 讚, 喜歡, 喜欢
ko: 조회, 방문자, 좋아요, 공유, 댓글, 답글, 리뷰, 후기, 평점, 투표, 다운로드, 팔로워, 온라인, 보고 있습니다, 관심, 고객, 읽음, 추천수, 공감, 신청자, 지원자, 찜, 스크랩, 도움이, 독자, 시청, 청취자, 이용자, 사용자, 서명, 별점, 즐겨찾기, 접속, 대기자, 분 소요, 후원자
ar: مشاهدة, مشاهدات, زائر, زوار, الزوار, تعليق, تعليقات, إعجاب, مشاركة, مشاركات, تقييم, تحميل, متابع, شاهد, المشاهدات, قراءة, القراء, رد, ردود, مراجعة, مراجعات, تقييمات, صوت, أصوات, تنزيل, تنزيلات, مشترك, مشتركين, متابعون, متصل, متواجد, الآن على الموقع, زيارة, زيارات, مستخدم, مستخدمين, شخص يشاهد, إعجابات
hi: बार देखा, आगंतुक, टिप्पणियाँ, टिप्पणी, लाइक, शेयर, डाउनलोड, समीक्षा
ro: vizualizări, vizualizat, descărcări, comentarii, comentariu, aprecieri, distribuiri, abonați, urmăritori, salvat de, timp de citire, vizualizare, afișări, accesări, vizitator*, vizite, descărcat, răspunsuri, evaluări, distribuit, utilizatori, cititori, citit, vândute, ofertanți, like-uri, urmăresc
hu: megtekintés, látogató, letöltés, hozzászólás, értékelés, szavazat, megosztás, kedvelés, követő, kedvencben, olvasási idő, megtekintve, megnézte, néző, nézi, látogatás, letöltve, válasz, vélemény, megosztva, kedveli, feliratkozó, olvasó, olvasta, eladva db, jelentkező, tetszik, csillag, felhasználó, vásárló, érdeklődő
id: dilihat, dibaca, dibagikan, pengunjung, komentar, ulasan, suka, unduhan, diunduh, pengikut, suara, waktu baca, pembaca, balasan, tanggapan, penilaian, pemilih, terjual, pelanggan, pengguna, dikunjungi, menit baca, orang melihat, kunjungan, penonton, disukai
he: צפיות, הורדות, תגובות, שיתופים, מבקרים, עוקבים, זמן קריאה, צפייה, נצפה, הורדה, תגובה, שיתוף, ביקורות, דירוגים, דירוג, הצבעות, לייקים, אהבו, גולשים, מחוברים, קוראים, משתמשים, דקות קריאה, נמכרו, צופים, כניסות
ca: visualitzacions, comentaris, descàrregues, m'agrada, vistes, lectures, compartit, respostes, usuaris, ressenyes, en línia, subscriptors, descarregat, visitants
uk: перегляд*, переглян*, відвідувач*, відвідуван*, коментар*, відповід*, відгук*, оцін*, завантажен*, підписник*, вподобан*, поширен*, читач*, користувач*, покупц*, хв читання, час читання
el: προβολ*, επισκέπτ*, επισκέψεις, σχόλι*, απαντήσεις, κριτικ*, αξιολογήσεις, ψήφοι, ψήφους, λήψεις, ακόλουθ*, κοινοποιήσεις, μου αρέσει, αναγνώστ*, χρόνος ανάγνωσης, λεπτά ανάγνωσης, χρήστες, συνδεδεμένοι, βλέπουν, προσθήκες
vi: lượt xem, lượt tải, lượt thích, bình luận, trả lời, đánh giá, phản hồi, chia sẻ, theo dõi, người xem, đang xem, trực tuyến, đã bán, lượt mua, người dùng, lượt truy cập, phút đọc, thời gian đọc, lượt nghe, yêu thích
hr: posjeta, pregleda, preuzimanja, komentara, sviđanja, posjetitelja

[unit]
en: second, seconds, sec, secs, min, mins, hour, hours, hr, hrs, day, days, week, weeks, month, months, year, years, s, m, h, d, w, mo, y, yr, yrs
de: sek, stunde, stunden, std, tag, tage, tagen, woche, wochen, monat, monate, monaten, jahr, jahre, jahren
fr: seconde, secondes, heure, heures, jour, jours, semaine, semaines, mois, an, ans, année, années
es: segundo, segundos, hora, horas, día, días, semana, semanas, mes, meses, año, años
it: secondo, secondi, ora, ore, giorno, giorni, settimana, settimane, mese, mesi, anno, anni
nl: seconden, minuut, uur, uren, dag, dagen, weken, maand, maanden, jaar, jaren
pt: dia, dias, mês, ano, anos
pl: sekund*, minut*, godzin*, godz, dzień, dni, tydzień, tygodni*, miesiąc*, miesięcy, rok, lata, lat, tyg, mies, dniem
sv: timme, timmar, tim, dagar, vecka, veckor, månad*, år
cs: hodin*, hod, den, dny, dní, týden, týdn*, měsíc*, roky, let, dnem, dnu, roků, lety
fi: sekunti*, sekunnin, minuutti*, minuutin, tunti*, tunnin, päivä*, viikko*, viikon, kuukau*, vuosi, vuotta, vuoden
nb: time, timer, dager, uke, uker, måned*
da: dage, uge, uger
ru: секунд*, сек, минут*, мин, час, часа, часов, ч, день, дня, дней, недел*, месяц*, год, года, лет
tr: saniye, dakika, dk, saat, gün, hafta, ay, yıl
ja: 秒, 分, 時, 日, 月, 年
zh: 小时, 天, 周, 週
ko: 초, 분, 시간, 일, 주, 개월, 년
ar: ثانية, دقيقة, دقائق, ساعة, ساعات, يوم, يوما, يومًا, أيام, أسبوع, أسابيع, شهر, أشهر, سنة, سنوات
hi: सेकंड, मिनट, घंटा, घंटे, दिन, सप्ताह, महीने, वर्ष
hu: másodperc*, perc, perce, perccel, percre, óra, órája, órával, napja, nappal, hete, héttel, hónap*, évvel
ro: secundă, secunde, oră, zile, săptămână, săptămâni, lună, luni
el: δευτερόλεπτα, λεπτό, λεπτά, ώρα, ώρες, ημέρα, ημέρες, μέρες, εβδομάδα, εβδομάδες, μήνα, μήνες, έτος, έτη, χρόνια
uk: хвилин*, хв, годин*, днів, дні, тижд*, тижні*, місяц*, рік, роки, років
id: detik, menit, jam, hari, minggu, bulan, tahun
vi: giây, phút, giờ, tuần, năm
ca: segon, segons, hores, dies, setmana, setmanes, mesos, anys
he: שנייה, שניות, דקה, דקות, שעה, שעות, יום, ימים, יומיים, שבוע, שבועות, חודש, חודשים, שנה, שנים, שעתיים

[ago]
en: ago, left, remaining, to go, ends in, starts in, closes in, begins in, expires in, starting in, ending in, seen, uptime, due in, opens in, arrives in
de: vor, noch, verbleibend, verbleiben, endet in, beginnt in, startet in, zuletzt gesehen, läuft ab in, schließt in, öffnet in, zuletzt online
fr: il y a, restant*, reste, restent, se termine dans, commence dans
es: hace, quedan, queda, termina en, empieza en, faltan, cierra en, abre en, vence en
it: fa, rimanent*, mancano, termina tra, scade tra, inizia tra, chiude tra, apre tra
nl: geleden, resterend, nog, eindigt over, begint over, sluit over, opent over, resteert
pt: atrás, há, restam, faltam, termina em, começa em, encerra em, abre em, expira em, começa daqui
pl: temu, pozostało, zostało, kończy się, zaczyna się, pozostały
sv: sedan, kvar, slutar om, börjar om, återstår
cs: před, zbývá, končí za, začíná za, zbývají, zbývalo, začátek za
fi: sitten, jäljellä
nb: siden, igjen, gjenstår
da: tilbage
ru: назад, осталось, остался, через
tr: önce, kaldı, kalan, bitmesine
ja: 前, 残り, あと, 以内に終了
zh: 剩余, 剩餘, 还剩, 還剩, 还有, 后结束, 後結束, 倒计时, 倒數
ko: 전, 남음, 남았습니다, 남은 시간, 후 종료
ar: منذ, قبل, يتبقى, متبقي
hi: पहले, शेष, बाकी
hu: ezelőtt, maradt, hátra
ro: în urmă, rămase, rămas, se încheie în, începe în
el: πριν, απομένουν, λήγει σε
uk: тому, залишилось, залишилося
id: lalu, tersisa, sisa
vi: trước, còn lại, kết thúc sau, bắt đầu sau
ca: queden, resten, falten
he: לפני, נותרו, נשארו

[before]
en: before
de: vor
nl: voor
fr: avant
es: antes
it: prima
pl: przed
sv: innan, före
cs: před
nb: før
ru: до
ar: قبل
ja: 前まで, 前迄
zh: 前取消, 之前
ko: 전까지

[relative]
en: now, just now, moments ago, today, yesterday, last week, last month, last year
de: gerade eben, eben, heute, gestern, vorgestern, letzte woche, letzten monat, letztes jahr
fr: à l'instant, aujourd'hui, hier, avant-hier, la semaine dernière, le mois dernier, l'an dernier, l'année dernière
es: ahora, hoy, ayer, anteayer, la semana pasada, el mes pasado, el año pasado
it: adesso, ora, oggi, ieri, la settimana scorsa, il mese scorso, l'anno scorso
nl: zojuist, vandaag, gisteren, eergisteren, vorige week, vorige maand, vorig jaar
pt: agora, hoje, ontem, anteontem, semana passada, mês passado, ano passado
pl: teraz, przed chwilą, dziś, dzisiaj, wczoraj, w zeszłym tygodniu, w zeszłym miesiącu, w zeszłym roku
sv: nyss, idag, igår, just nu, i dag, i går, förra veckan, förra månaden, förra året, i fjol
cs: právě teď, dnes, včera, minulý týden, minulý měsíc, minulý rok
fi: juuri nyt, nyt, tänään, eilen, viime viikolla, viime kuussa, viime vuonna
nb: akkurat nå, nettopp, forrige uke, forrige måned, i fjor
da: lige nu, netop nu, sidste uge, sidste måned, sidste år
ru: сейчас, только что, сегодня, вчера, позавчера, на прошлой неделе, в прошлом месяце, в прошлом году
tr: şimdi, bugün, dün, geçen hafta, geçen ay, geçen yıl
ja: 今, 昨日, 先週, 先月, 昨年, 去年, おととい, 先ほど
zh: 刚刚, 剛剛, 昨天, 前天, 上周, 上週, 上个月, 上個月, 刚才, 剛才
ko: 방금, 오늘, 어제, 지난주, 지난달, 작년, 그저께
ar: الآن, اليوم, أمس, قبل قليل, الأسبوع الماضي, الشهر الماضي
hi: अभी, आज
hu: most, tegnap, tegnapelőtt, múlt héten, múlt hónapban, tavaly, az imént
ro: chiar acum, astăzi, alaltăieri, săptămâna trecută, luna trecută, anul trecut
el: μόλις τώρα, τώρα, σήμερα, χθες, χτες, προχθές, την περασμένη εβδομάδα, πέρυσι
uk: щойно, зараз, сьогодні, вчора, позавчора, минулого тижня, минулого місяця, торік
id: baru saja, sekarang, hari ini, kemarin, minggu lalu, bulan lalu, tahun lalu
vi: vừa xong, bây giờ, hôm nay, hôm qua, tuần trước, tháng trước, năm ngoái
ca: ara mateix, avui, ahir, abans-d'ahir, la setmana passada, el mes passat
he: עכשיו, כרגע, היום, אתמול, שלשום, בשבוע שעבר, בחודש שעבר

[article]
en: a, an, about, one, last, this
de: ein, eine, einer, einem, ca
fr: environ, une, un
es: una
it: un'
nl: een
pt: um, uma

[asof]
en: updated, update, modified, as of, as at, checked, refreshed, retrieved, last change, current time, local time, time now, it is now, server time, today is, copyright, ©, rendered, served, built, cached, last build, crawled, data from, last edited, edited on, last seen online, synced, last reviewed, page last, last saved, last viewed, last fetched, refreshes, your local, status at, measured at
de: aktualisiert, aktualisierung, stand, zuletzt geändert, geändert am, erstellt am, abgerufen, zuletzt geprüft, ortszeit, uhrzeit, letzte änderung, heute ist, zuletzt bearbeitet, bearbeitet am, es ist jetzt, geprüft am, letzter abruf, abrufzeit, datenstand, seite erstellt, gemessen um, messzeit
fr: mis à jour, mise à jour, dernière modification, modifié, généré, vérifié, heure locale, consulté, situation au, état au, données au, il est, actualisé*, nous sommes le, relevé à, relevé le, relevé du, heure actuelle, page générée, en date du, dernière vérification
es: actualizad*, última actualización, modificad*, generad*, comprobado, hora local, consultado, última edición, editó por última vez, son las, situación a, datos a, última comprobación, última modificación, hora actual, hoy es, a fecha de, consulta realizada, medido a las
it: aggiornat*, ultimo aggiornamento, ultima modifica, generat*, verificato, ora locale, modificata per l'ultima volta, sono le, situazione al, dati al, ultima verifica, ora attuale, oggi è, rilevato alle, rilevazione delle, consultato
nl: bijgewerkt, gewijzigd, gegenereerd, gecontroleerd, lokale tijd, laatst bewerkt, het is nu, huidige tijd, vandaag is, gemeten om, laatste wijziging, peildatum, opgehaald om
pt: atualizad*, última atualização, gerad*, verificado, última edição, editada pela última vez, agora são, situação em, última verificação, última modificação, hora atual, hoje é, medido às
pl: zaktualizowan*, aktualizacja, ostatnia zmiana, wygenerowan*, stan na, czas lokalny, dzisiaj jest, dziś jest, pomiar z, data pobrania, odświeżono, godzina pomiaru
sv: uppdaterad*, senast ändrad, genererad, lokal tid, senast redigerad, senast redigerades, läget, senast kontrollerad, klockan är, idag är, mätt kl, senaste uppdatering, senaste mätning, uppgifterna hämtades
cs: aktualizováno, poslední změna, naposledy upraveno, stav k, stav ke, aktuálně k, poslední aktualizace, místní čas, dnes je, měřeno, vygenerováno, stav ze dne
fi: päivitetty, viimeksi muokattu, haettu, tilanne, kello on, tänään on, mitattu, sivu luotu, viimeisin päivitys
nb: oppdatert, sist endret, hentet, status per, sist sjekket, generert, klokken er, i dag er, målt kl, sist lagret, per i dag
da: opdateret, sidst ændret, senest ændret, status pr, senest tjekket, genereret, senest kontrolleret
ru: обновлен*, обновлён*, изменен*, изменён*, сгенерирован*, по состоянию на, местное время, последняя правка, время сервера, сейчас на сервере, данные на
tr: güncelle*, son değişiklik, oluşturuldu, güncel saat, yerel saat, sunucu saati, itibarıyla, itibariyle, son kontrol
ja: 更新, 現在, 時点, 最終確認, 確認日時, 本日は, 観測時刻, 作成日時, 表示時刻
zh: 截至, 当前时间, 今天是, 生成时间, 最后修改, 最後修改, 北京时间, 检查于, 資料時間, 觀測時間, 檢查時間
ko: 업데이트, 수정, 기준, 현재 시각, 오늘은, 확인 시각, 조회 시각
ar: آخر تحديث, تم التحديث, آخر تعديل, حتى تاريخ, التوقيت المحلي, اليوم هو, بتاريخ التحديث
hi: अद्यतन, अपडेट
hu: frissítve, utolsó frissítés, módosítva, helyi idő, a mai nap, állapot, lekérdezve, generálva, ma van
ro: actualizat*, ultima actualizare, ultima modificare, verificat, ora locală, ora serverului, astăzi este, la data de, situația la
el: ενημερώ*, τελευταία ενημέρωση, τροποποι*, ώρα ελλάδας, τοπική ώρα, σήμερα είναι, δημιουργήθηκε
uk: оновлен*, змінен*, станом на, місцевий час, згенерован*
id: diperbarui, pembaruan terakhir, dimutakhirkan, terakhir diubah, waktu setempat, per tanggal, dicek, dimuat dalam, dimuat pada
vi: cập nhật, sửa đổi lần cuối, giờ địa phương, tính đến, kiểm tra lúc, hôm nay là
ca: actualitza*, darrera modificació, consultat, dades a
he: עודכן, עדכון אחרון, נכון ל, נבדק, שעון מקומי, נוצר

[currency]
all: eur, usd, gbp, chf, jpy, cny, rmb, sek, nok, dkk, pln, czk, huf, rub, try, inr, krw, brl, cad, aud, nzd, mxn, euro, euros, dollar, dollars, pounds, kr, zł, kč, ft, fr, руб*, р, tl, 円, 元, 원, грн, ron, lei, leu, bgn, лв, uah, ils, thb, vnd, idr, rp, myr, sgd, hkd, twd, zar, aed, sar, egp, isk, rsd, clp, uyu, kzt, тг, тенге, сум, гривень, forint, koron, korun, kronor, kroner, yen, yuan, ريال, درهم, جنيه, دينار, دولار, يورو, đ, đồng, vnđ, 人民币, 유로, 달러, ユーロ, ドル, 港幣, 新臺幣, रुपये, रु, שקל, שקלים, ευρώ, francs, złotych, лева, динара, btc, eth, sfr, fr.

[version]
all: version, release, versión, versione, versie, versão, wersja, версия, バージョン, 版本, 버전, v, build, ver, revision, リリース, 릴리스, verze, verzió, versiune, έκδοση, версії, версія, sürüm, versi, phiên bản, גרסה, الإصدار, संस्करण, 固件, ファームウェア, 펌웨어

[legal]
en: privacy, terms, conditions, imprint, legal notice, accessibility, cookie policy, refund policy, returns policy
de: impressum, datenschutz, datenschutzerklärung, agb, nutzungsbedingungen, geschäftsbedingungen, widerruf, barrierefreiheit, privatsphäre
fr: mentions légales, confidentialité, cgu, cgv, données personnelles, accessibilité
es: aviso legal, privacidad, condiciones, términos, protección de datos, accesibilidad
it: note legali, condizioni, termini, informativa, accessibilità
nl: voorwaarden, privacybeleid, privacyverklaring, colofon, toegankelijkheid
pt: privacidade, termos, condições, acessibilidade
pl: prywatności, regulamin, warunki, dostępności
sv: integritet*, sekretess, villkor, användarvillkor, personuppgifter, tillgänglighet
da: privatliv*, betingelser, vilkår, handelsbetingelser, personvern*, tilgængelighed, tilgjengelighet
fi: tietosuoja*, käyttöehdot, saavutettavuus
cs: podmínky, ochrana osobních údajů, přístupnost
hu: adatvédel*, felhasználási feltételek
tr: gizlilik, koşullar*
ja: 利用規約, プライバシーポリシー, 特定商取引法, 個人情報
zh: 隐私政策, 服务条款, 隱私, 服務條款
ko: 개인정보, 이용약관
ru: конфиденциальност*, условия, конфіденційн*, умови

[slot]
all: ad, ads, adv, advert*, adslot, adbox, adunit, adsense, adsbygoogle, banner ad, ad banner, sponsor, sponsors, sponsored, promo, promos, promoted, promotion, teaser ad, werbung, werbe*, reklam*, publicit*, publicidad*, pubblicit*, mainos, annons*, koukoku, guanggao, cookie*, consent, gdpr, ccpa, dsgvo, rgpd, related, recommend*, reco, recos, recs, suggestion*, suggested, trending, popular, most read, mostread, most viewed, most popular, read next, up next, more like, more from, testimonial*, newsletter, ticker ad, also bought, also, similar*, upsell, cross sell, crosssell, teaser, teasers, tweet, tweets, twitter, twitterfeed, instagram, facebook, social, sharing, share, poll, survey, site notice, sitenotice, donate, donation, fundrais*, empfehlung*, empfohlen*, verwandt*, aehnlich*, umfrage, sondage, encuesta, sondaggio, similaire*, apparent*, relacionad*, recomendad*, sugerid*, correlat*, consigliat*, gerelateerd*, aanbevolen, vergelijkbaar, polecane, polecamy, podobne, powiazane, relaterad*, liknande, ilgili, benzer, oneri*, osusume, kanren, tuijian, xiangguan, chuchen, quote, quotes, zitat, zitate, citat, citation, citations, citazione, citazioni, frase, cytat, weather, wetter, meteo, météo, väder, vejr, pogoda, počasí, погода, reklame, opin, opinion, opinions, opiniones, opinie, rezension, rezensionen, recensioni, redes, enquete, ankieta, anketa, sonda, insta, dyk, factoid, joke, voices, press quote, similaires, ähnlich, aehnlich, verwandt, gerelateerd, simili, semelhantes, similares, guestbook, communit*, partner, partners, popup, pop up, top banner, commentlist, disqus, wasthishelpful, reply list, hirdet*, iklan, quangcao, annunci*, bandeau pub, promobar, promo bar, polec*, bestseller*, bestsellers, ulasan, danhgia, recenz*, bewertung*, anmeldelse*, omdoemen, arvostelu*, yorum*, kuchikomi, mnenja, app banner, appbanner, smartbanner, download app, whosonline, online users, horoscope, social proof, livechat, chat widget

[aside]
en: you may also like, you might also like, also bought, also viewed, also like, related, similar, recommended, recommendations, recommended for you, suggested, suggestions, most read, most viewed, most popular, most shared, popular, trending, popular posts, top stories for you, more like this, more from, read next, what others read, sponsored, advertisement, advertising, our partners, from our partners, from the web, around the web, promoted, testimonials, what our customers say, customers say, follow us, tweets, newsletter, quote of the day, tip of the day, joke of the day, photo of the day, people also, recently viewed, best sellers, bestsellers, did you know, tip, tips, top tip, word of the day, fact of the day, verse of the day, poll, survey, other ads, other listings, more listings, other items, more lots, more items, in the same range, most played, most listened, name day, saint of the day, community, from the community, guestbook, visitors say, guests say, readers say, instagram, on instagram, latest tweet, partners, partner offers, reviews, customer reviews, member of the month, also read, from the blog, from our blog, comments, recent comments, latest comments, join the discussion, what do you think, was this page helpful, was this helpful, did this help, related articles, related posts, related products, keep reading, previous article, next article, follow us on, featured article, borrowed this, borrowed also, also borrowed, readers also
de: das könnte, könnte ihnen auch, auch interessant, auch interessieren, auch gekauft, kauften auch, ähnliche, ähnlich, verwandte, passend dazu, passende, empfehlungen, empfohlen, unsere empfehlungen, meistgelesen, meistgelesene, am meisten gelesen, beliebt, beliebte, beliebteste, mehr zum thema, lesen sie auch, weitere angebote, anzeige, anzeigen, werbung, gesponsert, kundenstimmen, das sagen unsere, zitat des tages, zuletzt angesehen, bestseller, folgen sie uns, wussten sie, wusstest du, schon gewusst, tipp, tipp des tages, wort des tages, spruch des tages, umfrage, weitere anzeigen, andere anzeigen, aus der gleichen, meistgehört, namenstag, tageslosung, aus der community, gästebuch, besucher sagen, gäste sagen, partnerangebote, das sagen, bewertungen, kundenbewertungen, rezensionen, zuletzt gesehen, lasen auch, kommentare, neueste kommentare, war diese seite hilfreich, war das hilfreich, hat ihnen das, im trend, angesagt, top-themen, vorheriger beitrag, nächster beitrag, weiterlesen, auch lesenswert, das lesen andere, leser fragen, leserstimmen, besucherzähler, die sie, lesetipps, mehr aus, entliehen auch, ausgeliehen haben
fr: vous aimerez, aimer aussi, également acheté, ont aussi acheté, similaires, similaire, à lire aussi, lire aussi, à voir aussi, recommandé*, recommandations, les plus lus, les plus lues, plus lus, plus consultés, populaires, tendances, sponsorisé*, publicité, témoignages, sur le même sujet, suivez-nous, citation du jour, meilleures ventes, ils parlent de nous, avis de nos clients, le saviez-vous, astuce, conseil du jour, mot du jour, saint du jour, sondage, autres annonces, dans le même rayon, même rayon, fête du jour, les plus écoutés, verset du jour, communauté, ils disent, livre d'or, ils en parlent, partenaires, nos partenaires, avis clients, avis de clients, derniers avis, vus récemment, ont aussi lu, commentaires, derniers commentaires, cette page vous, cet article vous, avez-vous trouvé, articles liés, article suivant, à découvrir, vous pourriez, en ce moment sur, coup de cœur, coups de cœur, clients ont, ont aussi emprunté
es: también te puede, puede interesar, puede gustar, podría gustar, podría interesar, también te, también compraron, similares, relacionad*, recomendad*, recomendaciones, sugerencias, lo más leído, más leído, más leídas, más vistos, más visto, más popular*, populares, tendencias, patrocinad*, publicidad, testimonios, síguenos, frase del día, cita del día, lo que dicen, sabías que, sabía que, consejo, consejo del día, palabra del día, santo del día, evangelio de hoy, evangelio del día, encuesta, otros anuncios, más anuncios, lo más escuchado, más escuchada, más escuchado, santoral, comunidad, libro de visitas, dicen de nosotros, socios, reseñas, opiniones, opiniones de clientes, vistos recientemente, también leyeron, comentarios, últimos comentarios, te ha sido útil, le ha resultado útil, fue útil, te resultó útil, artículos anteriores, artículo siguiente, siguiente artículo, horóscopo, visitantes dicen, quizá te, te recomendamos, descubre más, los más vendidos, más vendidos, también vieron
it: potrebbe interessarti, potrebbero interessarti, ti potrebbe, potrebbe piacerti, simili, correlat*, consigliat*, raccomandat*, suggeriment*, i più letti, più letti, più lette, più visti, più popolare, più popolari, popolari, tendenze, sponsorizzat*, pubblicità, testimonianze, leggi anche, seguici, altri hanno, citazione del giorno, frase del giorno, dicono di noi, lo sapevi, lo sapevate, consiglio del giorno, parola del giorno, santo del giorno, vangelo del giorno, sondaggio, altri annunci, altri articoli, più ascoltati, più ascoltata, onomastico, dicono, libro degli ospiti, partner, recensioni, opinioni, visti di recente, letto anche, commenti, ultimi commenti, ti è stato utile, questa pagina è stata, hai trovato utile, articolo precedente, articolo successivo, più venduti, scopri anche, altri utenti, forse ti, acquistati insieme
nl: misschien ook, anderen leenden, anderen kochten, ook interessant, vind je misschien, ook bekeken, kochten ook, vergelijkbare, gerelateerd*, verwante, aanbevolen, aanraders, meest gelezen, meest bekeken, populair, populaire, gesponsord, advertentie, advertenties, lees ook, volg ons, citaat van de dag, klanten zeggen, wist je dat, wist u dat, tip van de dag, woord van de dag, peiling, enquête, andere advertenties, meest beluisterd, gastenboek, bezoekers zeggen, gasten zeggen, recensies, beoordelingen, weetje, weetjes, laatst bekeken, onlangs bekeken, reacties, laatste reacties, was dit nuttig, was deze informatie, heeft dit geholpen, vorig artikel, volgend artikel, meest verkocht, best verkocht, anderen bekeken, leestip, tips voor jou, recent bekeken, klanten kochten, vaak samen, leenden ook
pt: também pode, você também pode, pode gostar, também compraram, semelhantes, recomendações, sugestões, mais lidas, mais lidos, mais vistos, mais populares, em alta, publicidade, depoimentos, sondagem, leia também, siga-nos, frase do dia, citação do dia, dizem os, sabia que, você sabia, dica, dica do dia, palavra do dia, santo do dia, enquete, outros anúncios, mais ouvida, mais ouvidas, mais ouvido, mais tocadas, versículo do dia, comunidade, livro de visitas, dizem de nós, parceiros, avaliações, opiniões, torcida, no instagram, vistos recentemente, também leram, também leu, comentários, últimos comentários, esta página foi útil, foi útil, isto foi útil, próximo artigo, previsão do tempo, meteorologia, mais vendidos, veja também, ver também, quem viu, clientes também, talvez goste
pl: może cię zainteresować, zobacz też, zobacz także, podobne, powiązane, polecane, polecamy, rekomendowane, najczęściej czytane, najpopularniejsze, popularne, reklama, sponsorowane, inni kupili, czytaj także, czy wiesz, czy wiecie, porada dnia, cytat dnia, słowo dnia, sonda, ankieta, inne ogłoszenia, imieniny, społeczność, księga gości, goście mówią, mówią o nas, partnerzy, opinie, recenzje, z forum, ciekawostka, ciekawostki, ostatnio oglądane, komentarze, ostatnie komentarze, czy ta strona, czy artykuł, czy te informacje, czy było pomocne, poprzedni artykuł, następny artykuł, pogoda, zdjęcie dnia, bestsellery, najczęściej kupowane, klienci kupili, przeczytaj też, proponowane, popularne artykuły, sentencja dnia, myśl dnia, może cię
sv: du kanske också, du kanske gillar, liknande, relaterad*, relaterat, rekommenderad*, rekommenderat, mest läst, mest lästa, populärt, populära, annons, sponsrat, andra köpte, läs också, dagens citat, säger våra kunder, visste du, dagens tips, dagens ord, dagens fråga, enkät, omröstning, andra annonser, mest spelade, dagens namn, namnsdag, besökare säger, gästerna säger, gästbok, kunder säger, omdömen, recensioner, kuriosa, andra tittade, tittade också, köpte också, senast visade, du har tittat på, kommentarer, senaste kommentarer, var sidan till hjälp, var detta till hjälp, hade du nytta, föregående inlägg, nästa inlägg, bästsäljare, mest sålda, populärt just nu, andra har, tips till dig
da: måske også, lignende, relateret, relaterede, anbefalet, anbefalede, mest læste, populære, annonce, sponsoreret, læs også, siger vores kunder, vidste du, dagens tip, afstemning, andre annoncer, mest hørte, gæster siger, kunder siger, gæstebog, anmeldelser, vidste du at, seneste kommentarer, var siden nyttig, var det nyttigt, fik du, forrige indlæg, næste indlæg, bestsellere, mest solgte, andre købte, andre har, også kigget, senest sete, populært
nb: kanskje også, relatert, relaterte, anbefalt, anbefalte, mest lest, annonse, sponset, les også, dagens sitat, avstemning, andre annonser, mest spilte, dagens navn, gjester sier, kunder sier, gjestebok, omtaler, siste kommentarer, var dette nyttig, fant du, neste innlegg, statistikk, bestselgere, andre kjøpte, sist sett
fi: saatat myös, samankaltaiset, aiheeseen liittyvää, suositellut, suosittelemme, luetuimmat, suositut, mainos, lue myös, tiesitkö, päivän vinkki, päivän sana, kysely, muut ilmoitukset, nimipäivä, päivän lause, asiakkaat kertovat, kävijät sanovat, vieraskirja, yhteisö, arvostelut, viimeksi katsotut, kommentit, uusimmat kommentit, oliko sivusta, oliko tästä, auttoiko, edellinen artikkeli, paikalla nyt, myydyimmät, suosituimmat, suosittua, muut ostivat, muut katsoivat, asiakkaat ostivat, samankaltaisia, katso myös
cs: mohlo by vás, podobné, související, doporučené, doporučujeme, nejčtenější, oblíbené, čtěte také, věděli jste, víte, tip dne, citát dne, anketa, další inzeráty, svátek má, svátek slaví, svátek, říkají, řekli o nás, diváci říkají, hosté říkají, kniha hostů, ohlasy, recenze, hodnocení, zajímavost, naposledy zobrazené, naposledy prohlížené, komentáře, poslední komentáře, byla tato stránka, pomohl vám, pomohlo, předchozí článek, další článek, nejprodávanější, zákazníci koupili, přečtěte si, mohlo by se, doporučujeme přečíst
hu: önt is érdekelheti, ez is érdekelheti, hasonló, kapcsolódó, ajánlott, ajánlatunk, legolvasottabb, népszerű, hirdetés, tudta, szavazás, névnap, legutóbb megtekintett, hozzászólások, kommentek, vélemények, értékelések, hasznos volt, előző cikk, következő cikk, horoszkóp, a nap képe, legnépszerűbb, mások ezt, vásárlóink, további hirdetések, idézet, ajánljuk, tudta-e, tudtad, érdekesség
ro: s-ar putea să, similare, recomandate, recomandări, cele mai citite, populare, publicitate, citește și, știați că, sfatul zilei, sondaj, citatul zilei, interesat și de, vizualizate recent, comentarii, a fost utilă, v-a fost util, articolul precedent, articolul următor, cele mai vândute, clienții au, ați putea fi, alte anunțuri, recomandăm, te-ar putea, recenzii, păreri, știai că, partenerii noștri, ultimele vizualizate, anunțuri similare
el: μπορεί να σας, παρόμοια, σχετικά, προτεινόμενα, δημοφιλή, διαφήμιση, διαβάστε επίσης, γνωρίζατε, συμβουλή, δημοσκόπηση, σχόλια, κριτικές, ήταν χρήσιμη, μπορεί να, δείτε επίσης, προτείνουμε, διαφημίσεις, χορηγ*, το ήξερες, οι πελάτες, γιορτάζουν, εορτολόγιο
uk: схожі, пов'язані, рекомендовані, рекомендуємо, найпопулярніше, популярне, реклама, читайте також, чи знаєте, порада дня, опитування, коментарі, відгуки, чи була корисною, попередня стаття, наступна стаття, гороскоп, хіти продажу, також купують, вас може зацікавити, може зацікавити, дивіться також, інші оголошення, цитата дня, іменини, нещодавно переглянуті, цікавий факт, рекомендації
ru: вам может понравиться, может заинтересовать, похожие, похожее, читайте также, смотрите также, рекомендуем, рекомендации, рекомендованн*, популярное, популярные, самое читаемое, самое популярное, спонсор*, с этим товаром, также покупают, отзывы покупателей, знаете ли вы, совет дня, слово дня, опрос, другие объявления, именины, совет, полезный совет, полезные советы, гостевая, говорят клиенты, что говорят, отзывы, интересный факт, комментарии, последние комментарии, была ли, статья помогла, полезна ли, предыдущая статья, следующая статья, хиты продаж, вас может заинтересовать, вы смотрели, недавно просмотренные, покупатели также, новости партнеров, новости партнёров, партнеры, выбор редакции
tr: bunlar da ilginizi, ilginizi çekebilir, benzer, ilgili, önerilen*, öneriler, en çok okunan, en çok okunanlar, popüler, reklam, sponsorlu, biliyor musunuz, günün sözü, günün ipucu, anket, yorumlar, misafir defteri, değerlendirmeler, yorum, son yorumlar, faydalı oldu, yardımcı oldu, önceki yazı, sonraki yazı, çok satanlar, birlikte alınanlar, diğer ilanlar, son bakılanlar, son görüntülenenler, ayrıca bakın, biliyor muydunuz, editörün seçimi, öne çıkanlar
ar: إعلان ممول, إعلانات ممولة, إعلان تجاري, قد يعجبك, مقالات ذات صلة, ذات صلة, مشابهة, موصى به, الأكثر قراءة, الأكثر مشاهدة, تعليقات, التعليقات, آراء, قد تهمك, مواضيع, اقرأ أيضا, اقرأ أيضًا, شاهد أيضا, شاهد أيضًا, الأكثر, هل كانت, هل تعلم, منتجات مشابهة, منح مشابهة, مقترحات, استطلاع, المتواجدون, نوصي, رعاية, اقتباس
he: אולי יעניין, כתבות נוספות, דומים, מומלצים, הנקראות ביותר, פרסומת, תגובות, דיון, ביקורות, האם העמוד, הידעת, כתבה קודמת, מי מחובר, פרסומות, ממומן, נצפו, נמכרים, לקוחות, סקר, קשורות, קשורים, המלצות, גולשים, שותפים
hi: संबंधित, अनुशंसित, लोकप्रिय, विज्ञापन
vi: có thể bạn, liên quan, tương tự, đề xuất, xem nhiều, phổ biến, quảng cáo, bình luận, đánh giá, khách hàng nói, có hữu ích, bài trước, bài tiếp theo, đang trực tuyến, đọc nhiều, gợi ý, bạn có biết, sản phẩm khác, khách hàng, đã xem, tài trợ, xem thêm, mua kèm, bán chạy, nổi bật
id: mungkin anda, terkait, serupa, rekomendasi, terpopuler, populer, iklan, baca juga, komentar, ulasan, apakah halaman, artikel sebelumnya, artikel selanjutnya, tahukah, orang juga, pelanggan juga, terlaris, terbaru dari blog, disponsori, lihat juga, testimoni, jajak, kata pengunjung
ja: おすすめ, オススメ, お勧め, 関連商品, 関連記事, 関連する, この商品を見た人, この商品を買った人, 人気記事, 人気商品, よく読まれ, あわせて読みたい, あなたへの, 広告, お客様の声, アンケート, 最近チェック, 豆知識, 今日の一言, 今日の言葉, 今日の名言, コミュニティ, レビュー, 口コミ, クチコミ, コメント, 見られている, 閲覧した, 役に立ちましたか, 参考になりましたか, 前の記事, 次の記事, 最近見た, 人気の, 今週の人気, こちらも, 一緒に購入, よく一緒に, 売れ筋, 関連リンク, 関連ページ, 関連情報, 関連動画, お買い得, ピックアップ, 編集部, 読者の声, スポンサー, 似た, 次に読む, ランキング, 人はこんな, 借りた人
zh: 推荐, 推薦, 猜你喜欢, 猜您喜欢, 相似, 类似, 看了又看, 买了又买, 热门, 熱門, 热销, 排行榜, 广告, 廣告, 赞助, 贊助, 用户评价, 你知道吗, 小贴士, 每日一句, 每日一言, 调查, 投票, 读者说, 买家评价, 评论, 評論, 网友, 網友, 上一篇, 下一篇, 您可能, 你可能, 也喜歡, 也喜欢, 也買了, 也买了, 看過, 看过, 瀏覽過, 浏览过, 最近瀏覽, 本周热, 是否有帮助, 是否有幫助, 对您有帮助, 有帮助吗, 满意度, 滿意度, 問卷, 问卷, 小知识, 小知識, 冷知识, 延伸閱讀, 延伸阅读, 大家都, 熱賣, 暢銷, 畅销, 友情链接, 合作伙伴, 用户心声, 讀者回響
ko: 추천, 관련 상품, 관련 기사, 함께 본, 함께 구매, 비슷한, 인기 기사, 인기글, 인기 상품, 많이 본, 광고, 스폰서, 알고 계셨나요, 오늘의 명언, 오늘의 한마디, 설문, 리뷰, 후기, 댓글, 최근 본, 이전 글, 다음글, 도움이 되었나요, 도움이 되셨나요, 만족하십니까, 만족도, 핫딜, 실시간, 이런 상품, 에디터, 한줄평, 방명록, 투표, 놓치지
ca: comentaris, potser t'interessa, també et pot, relacionat, relacionats, recomanat, recomanats, més llegit, més llegits, més vist, publicitat, sabies que, enquesta, ressenyes, frase del dia, sant del dia, destacats, llegeix també, valoracions, us ha estat, t'ha estat útil

[cookie]
all: cookie*, кук*, ciasteczk*, çerez*, sütik*, evästei*, evästeet, küpsis*, slapuk*, sīkdat*, kolačić*, piškotk*, informasjonskapsl*, vafrakök*, クッキー, ကွတ်ကီး, 쿠키, ملفات تعريف الارتباط, עוגיות, คุกกี้, galetes, galeta

[consent]
en: accept, agree, consent, reject, decline, deny, ok, okay, got it, allow, manage, settings, preferences, use cookies, uses cookies, choose, necessary, essential, continue
de: akzeptieren, annehmen, zustimmen, einverstanden, ablehnen, zulassen, einstellungen, verwendet, verwenden, nutzt, nutzen, notwendige, auswahl, verstanden
fr: accepter, accepte, refuser, paramétrer, paramètres, préférences, utilise, utilisons, continuer, consentement, gérer, personnaliser
es: aceptar, aceptas, rechazar, configurar, usamos, utilizamos, utiliza, usa, consentimiento, preferencias, gestionar
it: accetta, accetto, accettare, rifiuta, rifiutare, utilizza, utilizziamo, usiamo, usano, impostazioni, preferenze, consenso, gestisci
nl: accepteren, akkoord, weigeren, gebruikt, gebruiken, instellingen, voorkeuren, toestaan, toestemming
pt: aceitar, aceito, aceita, rejeitar, recusar, configurações, definições, preferências, consentimento
pl: akceptuj*, zgadzam, zgoda, odrzuć, używamy, używa, korzysta, korzystamy, ustawienia, zaakceptuj, wykorzystuje
sv: acceptera, godkänn, godkänner, avvisa, neka, använder, inställningar, samtycke
da: accepterer, afvis, bruger, indstillinger, samtykke, tillad
nb: godta, aksepter, avvis, bruker, innstillinger
fi: hyväksy, salli, kiellä, käytämme, käyttää, asetukset
cs: přijmout, souhlasím, odmítnout, používáme, používá, nastavení
hu: elfogad*, elutasít*, használ*, beállítások, hozzájárul*
ro: acceptă, refuz, folosim, folosește, utilizăm, setări
el: αποδοχή, αποδέχομαι, απόρριψη, χρησιμοποιούμε, χρησιμοποιεί, ρυθμίσεις
ru: принять, принимаю, согласен, согласие, отклонить, использу*, настройки, хорошо, понятно
uk: прийняти, погоджуюсь, згоден, відхилити, використовуємо, використовує, налаштування
tr: kabul, reddet, kullanıyoruz, kullanır, ayarlar, izin
ja: 同意, 許可, 拒否, 承諾, 利用し, 設定
zh: 接受, 拒绝, 拒絕, 使用, 设置, 允许, 允許
ko: 동의, 허용, 거부, 수락, 사용, 설정
ca: accepta, acceptar, accepto, d'acord, rebutja, rebutjar, fem servir, utilitzem, utilitza, configura
id: terima, setuju, tolak, menggunakan, gunakan, pengaturan
vi: chấp nhận, đồng ý, từ chối, cài đặt
he: מאשר, מסכים, אישור, דחייה, משתמשים, הגדרות, קבל, הסכמה
ar: قبول, موافق, أوافق, رفض, نستخدم, يستخدم, إعدادات

[maker]
all: ビルド, powered by, built with, built by, made with, generated by, created with, created by, running, runs on, rendered by, served by, theme by, erstellt mit, erzeugt mit, generiert mit, läuft mit, betrieben mit, propulsé par, généré par, généré avec, créé avec, fait avec, realizado con, generado con, generado por, hecho con, creado con, funciona con, desarrollado con, realizzato con, generato da, generato con, creato con, basato su, gemaakt met, gegenereerd door, gegenereerd met, draait op, feito com, gerado por, desenvolvido com, wygenerowano przez, oparte na, działa na, napędzane przez, drivs av, byggd med, skapad med, bygget med, drevet av, drevet af, toimii, vytvořeno, běží na, работает на, создано на, сделано на, сгенерировано, на базе, altyapı, ile hazırlandı, ile güçlendirilmiştir, 技术支持, 由, 基于, 作成ツール, で作成, で生成, で構築, 제작

[gauge]
all: hpa, mbar, bft, ppm, km h, m s, mm h, kn, lux, %rh, co2, pm2.5, pm10, uv, cpu, ping
en: responds, temperature, humidity, pressure, wind, winds, gusts, rainfall, rain, snow depth, visibility, waves, wave height, swell, water level, river level, tide level, pollen, air quality, dew point, sunrise, sunset, moonrise, occupancy, queue, queueing, waiting, wait, response time, runner load, system load, latency, coverage, capacity used, full now, in use, currently, current, at present, at the moment, right now, people, satisfied, degrees, knots, mph, times, average, avg, yesterday
de: antwortet, temperatur, lufttemperatur, wassertemperatur, luftfeuchte, luftfeuchtigkeit, feuchte, luftdruck, windstärke, böen, niederschlag, regen, schneehöhe, sicht, sichtweite, wellen, wellenhöhe, wasserstand, pegel, pegelstand, luftqualität, taupunkt, sonnenaufgang, sonnenuntergang, auslastung, belegung, belegt, warteschlange, wartezeit, warten, wartende, antwortzeit, ladestand, füllstand, zurzeit, derzeit, momentan, aktuell, im moment, gerade, personen, menschen, zufrieden, grad, knoten, gesammelt, gespendet, mal, durchschnittlich, durchschnitt, gestern
fr: répond, température, humidité, pression, vent, rafales, pluie, précipitations, visibilité, vagues, houle, pollens, qualité de l'air, lever du soleil, coucher du soleil, fréquentation, occupation, affluence, file d'attente, attente, temps d'attente, remplissage, actuellement, en ce moment, pour le moment, personnes, satisfaits, degrés, nœuds, noeuds, récoltés, collectés, fois, moyenne, production du jour, puissance
es: responde, en la cola, temperatura, humedad, presión, viento, rachas, lluvia, precipitación, visibilidad, oleaje, olas, altura de ola, polen, calidad del aire, amanecer, puesta de sol, ocupación, afluencia, espera, embalse, actualmente, actual, en este momento, ahora mismo, personas, satisfechos, grados, nudos, recaudado, recaudados, veces, promedio, ayer
it: risponde, umidità, pressione, vento, raffiche, pioggia, precipitazioni, visibilità, altezza onda, polline, qualità dell'aria, alba, tramonto, affluenza, occupazione, attesa, attualmente, attuale, in questo momento, al momento, persone, soddisfatti, gradi, nodi, raccolti, volte, ieri
nl: reageert, temperatuur, luchtvochtigheid, luchtdruk, windstoten, windkracht, neerslag, zicht, golfhoogte, golven, waterstand, waterpeil, luchtkwaliteit, zonsopkomst, zonsondergang, bezetting, drukte, bezet, wachtrij, wachttijd, wachtend*, reactietijd, momenteel, op dit moment, nu, mensen, tevreden, graden, knopen, budget beschikbaar, opgehaald, keer, gemiddeld, gisteren
pt: umidade, humidade, pressão, rajadas, chuva, precipitação, visibilidade, ondas, ondulação, pólen, qualidade do ar, nascer do sol, pôr do sol, ocupação, atualmente, atual, neste momento, pessoas, satisfeitos, graus, nós, arrecadado, angariados, vezes, ontem
pl: odpowiada, wilgotność, ciśnienie, wiatr, porywy, opady, deszcz, widoczność, fale, poziom wody, stan wody, pyłki, jakość powietrza, wschód słońca, zachód słońca, obłożenie, zajęte, kolejka, w kolejce, oczekiw*, obecnie, aktualnie, osób, osoby, zadowolon*, stopni, węzłów, zebrano, razy, średnia, średnio, wczoraj
sv: svarar, vattentemperatur, luftfuktighet, lufttryck, vind, byar, nederbörd, regn, sikt, våghöjd, vågor, vattenstånd, vattennivå, luftkvalitet, soluppgång, solnedgång, beläggning, kö, kötid, väntetid, väntar, svarstid, för närvarande, personer, nöjda, grader, knop, insamlat, gånger, snitt, genomsnitt, igår, i går
da: svarer, vandtemperatur, luftfugtighed, lufttryk, vindstød, nedbør, sigt, bølgehøjde, bølger, vandstand, solopgang, solnedgang, belægning, kø, ventetid, venter, svartid, i øjeblikket, tilfredse, knob, indsamlet, ledige pladser, gange, gennemsnit
nb: vanntemperatur, lufttrykk, vindkast, bølgehøyde, vannstand, soloppgang, belegg, akkurat nå, for øyeblikket, fornøyde, samlet inn, neste avgang om, ganger, gjennomsnitt
fi: lämpötila, vedenlämpö, ilmankosteus, kosteus, ilmanpaine, tuuli, puuskat, sade, sademäärä, näkyvyys, aallonkorkeus, vedenkorkeus, siitepöly, ilmanlaatu, auringonnousu, auringonlasku, täyttöaste, jono, jonotusaika, odotusaika, odottaa, tällä hetkellä, juuri nyt, henkilöä, ihmistä, tyytyväisiä, astetta, kerätty, kertaa, keskiarvo, eilen
cs: teplota, vlhkost, tlak, vítr, nárazy, srážky, déšť, dohlednost, vlny, stav vody, pyl, kvalita ovzduší, východ slunce, západ slunce, obsazenost, obsazeno, fronta, ve frontě, čekací doba, čeká, aktuálně, nyní, právě, osob, lidí, spokojených, stupňů, vybráno, krát, průměr, včera
hu: hőmérséklet, páratartalom, légnyomás, szél, széllökés, csapadék, látótávolság, vízállás, vízszint, napkelte, napnyugta, kihasználtság, várakozás, várakozási idő, sorban, jelenleg, most, fő, ember, fok, csomó, alkalommal, átlag
ro: temperatură, umiditate, presiune, vânt, rafale, ploaie, vizibilitate, nivelul apei, răsărit, apus, ocupare, coadă, timp de așteptare, în prezent, acum, persoane, oameni, grade
el: θερμοκρασία, υγρασία, πίεση, άνεμος, βροχή, στάθμη, ανατολή, δύση, πληρότητα, ουρά, αναμονή, χρόνος αναμονής, αυτή τη στιγμή, τώρα, άτομα, βαθμοί, μποφόρ
ru: температура, влажность, давление, ветер, порывы, осадки, видимость, волна, высота волн, уровень воды, пыльца, качество воздуха, восход, закат, загрузка, загруженность, заполненность, очередь, в очереди, ожидани*, сейчас, в данный момент, человек, людей, довольны, градус*, узлов, собрано, раз, раза, в среднем, средняя, вчера
uk: вологість, тиск, вітер, опади, рівень води, схід сонця, захід сонця, заповненість, черга, у черзі, очікування, зараз, осіб, зібрано, разів
tr: sıcaklık, nem, basınç, rüzgar, yağış, görüş, dalga, su seviyesi, gün doğumu, gün batımı, doluluk, bekleme, şu anda, kişi, memnun, derece, kez, kere, ortalama, dün
ja: 気温, 水温, 室温, 温度, 湿度, 気圧, 風速, 風向, 雨量, 視程, 波高, 水位, 潮位, 花粉, 日の出, 日の入, 混雑, 利用率, 待ち, 並んで, 現在の, ただいま, 来訪者, 来場者, 入場者, 寄付, 累計, 回, 人, 平均, 昨日
zh: 气温, 氣溫, 溫度, 濕度, 气压, 氣壓, 风速, 风力, 降水, 降雨, 能见度, 浪高, 空气质量, 日出, 日落, 客流, 拥挤, 排队, 排隊, 等待, 等候, 当前, 目前, 已筹, 次, 昨天
ko: 기온, 수온, 온도, 습도, 기압, 풍속, 풍향, 강수량, 가시거리, 파고, 수위, 미세먼지, 일출, 일몰, 혼잡도, 대기, 현재, 회, 명, 평균, 어제

[fact]
all: max, max., min., ≤, ≥, mindestens, %vol
en: at most, at least, up to, maximum, minimum, limit, limited to, no more than, capacity, only, interest, rate, apr, apy, discount, off, vat, tax, fee, commission, deposit, allowed, free, per, each, requires, required, aged, age, for, serves, default, daily, weekly, a day, a week, every, duration, from, warning level, alert level, danger level, category, grade
de: maximal, höchstens, bis zu, begrenzt, kapazität, höchstzahl, ab, zins, zinsen, zinssatz, zinssätze, rabatt, nachlass, mwst, steuer, provision, gebühr, anzahlung, pro, je, für, alter, täglich, wöchentlich, alle, dauer, von, warnstufe, gefahrenstufe, stufe
fr: au plus, au moins, jusqu'à, limité à, limite, capacité, jauge, taux, intérêt, remise, réduction, rabais, tva, taxe, frais, acompte, par, pour, âge, quotidien, toutes les, tous les, durée, niveau d'alerte, degré, catégorie
es: máximo, mínimo, hasta, al menos, límite, capacidad, interés, tipo, tae, tin, descuento, iva, impuesto, comisión, por, para, edad, al día, cada, duración, nivel de alerta, categoría
it: massimo, minimo, fino a, almeno, capienza, tasso, interesse, sconto, imposta, commissione, età, al giorno, ogni, durata, livello di allerta, grado di
nl: maximaal, hoogstens, minimaal, ten hoogste, tot, limiet, capaciteit, rente, korting, btw, belasting, kosten, voor, leeftijd, dagelijks, elke, iedere, duur, om de, categorie
pt: até, pelo menos, capacidade, juros, taxa, desconto, imposto, comissão, idade, duração, nível de alerta, categoria
pl: maksymalnie, maks., do, pojemność, oprocentowanie, odsetki, rabat, zniżka, zniżki, prowizja, na, dla, wiek, dziennie, co, czas trwania, stopień, stopnia, kategoria
sv: högst, minst, upp till, gräns, kapacitet, ränta, räntan, moms, skatt, avgift, för, ålder, dagligen, varje, var, varningsnivå
da: højst, mindst, op til, grænse, renten, skat, gebyr, pr, alder, dagligt, daglig, hvert, hver, varighed, varselsniveau
nb: høyst, opptil, grense, kapasitet, mva, varighet, farenivå
fi: enintään, vähintään, raja, kapasiteetti, korko, alennus, alv, vero, ikä, päivittäin, välein, kesto, varoitustaso
cs: nejvýše, maximálně, nejméně, až, kapacita, úrok, úroková, sleva, dph, daň, poplatek, věk, denně, každých, délka, stupeň, stupně
hu: legfeljebb, legalább, kamat, kedvezmény, áfa, díj, naponta, percenként
ro: cel mult, minim, dobândă, reducere, taxă, pentru
el: έως, μέγιστο, τουλάχιστον, επιτόκιο, έκπτωση, φπα, για
ru: максимум, не более, не менее, до, лимит, вместимость, ставка, процентная, скидк*, ндс, налог, комиссия, на, для, возраст, ежедневно, в день, каждые, длительность, степень, категория
uk: не більше, знижка, пдв
tr: en fazla, en az, kadar, faiz, indirim, kdv, için, her, günde, süre
ja: 最大, 以上, 以下, 以内, まで, 定員, 上限, 金利, 利率, 割引, オフ, 税, 手数料, 第, 毎, 間隔, 所要, 大人, レベル
zh: 最多, 最少, 不超过, 至少, 容量, 名额, 折, 优惠, 手续费, 每, 时长, 成人
ko: 최대, 최소, 이상, 이하, 이내, 정원, 한도, 금리, 이자, 할인, 세금, 수수료, 제, 마다, 간격, 소요, 성인, 단계
id: pajak, ppn, tarif, bunga, diskon, maksimal, minimal, hingga, sudah termasuk, untuk

[vacant]
en: available, left, remaining, free now, spaces, free seats
de: frei, freie, freien, verfügbar, verfügbare, übrig, verbleibend
fr: disponibles, libres, restants, restantes
es: quedan
it: disponibili, liberi, libere, rimasti, rimaste, rimanenti
nl: vrij, vrije, beschikbaar, beschikbare, over
pt: disponíveis, livres
pl: wolnych, wolne, dostępnych, pozostało, zostało
sv: lediga, kvar
da: ledige, tilbage
nb: igjen
fi: vapaita, vapaana, jäljellä
cs: volných, volná, volno, zbývá
hu: szabad, elérhető, maradt
ro: disponibile, rămase
el: διαθέσιμες, διαθέσιμα, ελεύθερες
ru: свободно, свободных, свободные, осталось, доступно
uk: вільно, вільних, залишилось
tr: boş, kalan, mevcut
ja: 空き, 残り, 空車, 空席数
zh: 剩余, 剩餘, 空位, 余票, 余位, 可借
ko: 남은, 잔여, 빈자리

[minute]
all: min, mins, sec, secs, мин, сек, dk, sn, хв, perc, λεπτά, минут*, 分, 분
en: seconds
fr: secondes
es: segundos
it: secondi
nl: minuut, seconden
pl: minut*, sekund*
sv: sekunter
fi: minuuttia, minuutin, sekuntia
tr: dakika, saniye

[within]
all: in, dans, en, em, tra, fra, over, za, om, през, через, daqui a, σε, peste, במשך, בעוד, خلال, d'aquí a

[of]
all: of, von, de, sur, di, su, van, z, ze, av, af, из, з, dari, /

[answer]
all: yes, no, ja, nein, oui, non, sí, si, nee, sim, não, tak, nie, nej, nei, ano, ne, kyllä, ei, igen, nem, evet, hayır, да, нет, так, ні, はい, いいえ, 是, 否, 예, 네, 아니요

[missing]
en: not found, cannot be found, can't be found, could not be found, couldn't be found, was not found, wasn't found, does not exist, doesn't exist, no longer exists, no such page, couldn't find that page, can't find that page, can't find this page, cannot find that page, no longer available
de: nicht gefunden, nicht gefunden werden, gibt es nicht, gibt es nicht mehr, existiert nicht, existiert nicht mehr, nicht vorhanden, nicht mehr verfügbar
fr: introuvable, non trouvée, n'existe pas, n'existe plus, pas été trouvée
es: no encontrada, no encontrado, no existe, ya no existe, no se encuentra, no se ha encontrado
it: non trovata, non trovato, non esiste, inesistente
nl: niet gevonden, bestaat niet, bestaat niet meer
pt: não encontrada, não encontrado, não existe, não foi encontrada
pl: nie znaleziono strony, nie istnieje, nie została znaleziona
sv: hittades inte, kunde inte hittas, finns inte, finns inte längre
ru: не найдена, не найдено, не существует
ja: 見つかりません, 見つかりませんでした, 存在しません
zh: 页面不存在, 找不到页面, 未找到, 網頁不存在, 找不到網頁
ko: 찾을 수 없습니다, 존재하지 않는 페이지

[failure]
all: error, http, status, code, oops, fehler, fehlercode, erreur, errore, erro, código, fout, błąd, fel, ошибка, エラー, 错误, 錯誤, 오류

[pause]
en: back soon, be back shortly, be right back, back in a moment, down for maintenance, under maintenance, undergoing maintenance, temporarily unavailable
de: bald zurück, gleich wieder da, bald wieder da, wartungsarbeiten, wird gerade gewartet, vorübergehend nicht verfügbar, vorübergehend nicht erreichbar
fr: bientôt de retour, de retour bientôt, en maintenance, en cours de maintenance, temporairement indisponible
es: volvemos pronto, volveremos pronto, en mantenimiento, temporalmente no disponible
it: torniamo presto, torneremo presto, in manutenzione, temporaneamente non disponibile
ja: メンテナンス中, メンテナンス中です, 一時的に利用できません
zh: 维护中, 維護中, 系统维护

[wall]
all: before you continue, before continuing, your privacy, privacy choices, privacy settings, avant de continuer, votre vie privée, bevor sie fortfahren, bevor sie weitermachen, privatsphäre, ihre privatsphäre, antes de continuar, tu privacidad, su privacidad, prima di continuare, la tua privacy, voordat je verdergaat, jouw privacy, 続行する前に, プライバシー, 隐私, 隱私
`
