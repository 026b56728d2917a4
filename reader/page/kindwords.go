package page

// wordTable is the one table of words of languages.
const wordTable = `# The words of languages that a change is told by until its place has a history.
# A section in brackets, then one line per language: entries with commas between.
# A star stands for any ending of the last word. Nothing here names a site.

[state]
en: in stock, out of stock, sold out, available, unavailable, back in stock, pre-order, backorder, cancelled, canceled, postponed, rescheduled, open, closed, outage, operational, degraded, degraded performance, partial outage, major outage, down, resolved, investigating, identified, monitoring, maintenance, delayed, on time, departed, boarding, discontinued, expired, active, suspended, accepting applications, filled
de: auf lager, lieferbar, nicht lieferbar, ausverkauft, verfügbar, nicht verfügbar, vergriffen, vorrätig, abgesagt, verschoben, geöffnet, geschlossen, gesperrt, frei, störung, behoben, in betrieb, außer betrieb, wartung, verspätet, pünktlich, besetzt, ausgebucht
fr: en stock, en rupture de stock, rupture de stock, épuisé, disponible, indisponible, complet, annulé*, reporté*, ouvert*, fermé*, panne, opérationnel*, rétabli*, retardé*, à l'heure, maintenance
es: en stock, agotad*, disponible, no disponible, cancelad*, aplazad*, abiert*, cerrad*, interrupción, operativ*, resuelt*, retrasad*, a tiempo, mantenimiento, completo
it: disponibile, non disponibile, esaurit*, annullat*, rinviat*, apert*, chius*, guasto, operativ*, risolt*, in ritardo, in orario, manutenzione
nl: op voorraad, uitverkocht, beschikbaar, niet beschikbaar, niet op voorraad, afgelast, geannuleerd, uitgesteld, open, gesloten, storing, operationeel, opgelost, vertraagd, op tijd, onderhoud
pt: em estoque, em stock, esgotad*, disponível, indisponível, cancelad*, adiad*, abert*, fechad*, falha, operacional, resolvid*, atrasad*, manutenção
pl: dostępn*, niedostępn*, wyprzedan*, odwołan*, przełożon*, otwart*, zamknięt*, awaria, działa, opóźnion*
sv: i lager, slutsåld, tillgänglig, ej i lager, inställd*, uppskjut*, öppet, stängt, driftstörning, försenad
ru: в наличии, нет в наличии, распродано, доступ*, недоступ*, отмен*, перенес*, открыт*, закрыт*, сбой, работает, задерж*
tr: stokta, tükendi, mevcut, iptal*, ertelendi, açık, kapalı, arıza
ja: 在庫あり, 在庫なし, 在庫切れ, 売り切れ, 完売, 販売中, 受付中, 受付終了, 中止, 延期, 営業中, 休業, 運休, 運転見合わせ, 平常運転, 遅延, 障害, 復旧, 正常, 満席, 空席
zh: 有货, 缺货, 无货, 售罄, 现货, 有貨, 缺貨, 售完, 已取消, 取消, 延期, 开放, 关闭, 開放, 關閉, 故障, 正常, 中断, 恢复, 延误
ko: 재고 있음, 품절, 판매중, 매진, 취소, 연기, 영업 중, 휴무, 장애, 정상, 지연

[count]
en: view, views, viewed, viewing, viewers, viewer, watching, visitor, visitors, visits, hits, like, likes, liked, share, shares, shared, star, stars, stargazers, fork, forks, watchers, comment, comments, reply, replies, response, responses, review, reviews, rating, ratings, vote, votes, upvotes, claps, reactions, download, downloads, downloaded, installs, follower, followers, following, subscribers, members online, online, online now, reads, plays, listeners, retweets, reposts, bookmarks, favorites, favourites, in their cart, in carts, bought this, sold today, people are looking, looking at this, min read, minute read, mins read, minutes read, reading time
de: aufrufe, aufruf, ansichten, besucher, gäste online, mal gelesen, gelesen, gefällt, likes, geteilt, teilen, sterne, kommentar, kommentare, antworten, antwort, bewertung, bewertungen, rezension, rezensionen, stimmen, downloads, heruntergeladen, abonnenten, follower, online, sehen sich, schauen sich, lesezeit, lesedauer, min lesezeit
fr: vue, vues, visiteur*, visites, j'aime, aime, partage*, étoiles, commentaire*, réponse*, avis, évaluation*, vote, votes, téléchargement*, abonné*, en ligne, consultent, regardent, lecture, min de lecture, temps de lecture
es: visita, visitas, vistas, visualizaciones, visitante*, me gusta, compartid*, compartir, estrellas, comentario*, respuesta*, opiniones, reseña*, valoraci*, voto*, descarga*, seguidor*, suscriptor*, en línea, personas viendo, están viendo, viendo, min de lectura, lectura, tiempo de lectura
it: visualizzazion*, visite, visitator*, mi piace, condivision*, stelle, commento, commenti, risposte, recension*, valutazion*, vot*, download, scaricat*, iscritti, seguaci, in linea, stanno guardando, guardando, min di lettura, lettura, tempo di lettura
nl: weergaven, keer bekeken, bekeken, bezoeker*, vind ik leuk, gedeeld, sterren, reactie, reacties, antwoorden, beoordeling*, recensie*, stemmen, downloads, volgers, abonnees, online, bekijken, leestijd, min leestijd
pt: visualizaç*, visitas, visitante*, curtidas, gostos, compartilhament*, partilhas, estrelas, comentário*, respostas, avaliaç*, voto*, downloads, transferências, seguidor*, inscritos, on-line, vendo agora, pessoas vendo, vendo, min de leitura, leitura, tempo de leitura
pl: wyświetle*, odsłon*, odwiedz*, polubie*, udostępnie*, gwiazd*, komentarz*, odpowiedzi, opini*, recenzj*, ocen*, głos*, pobrań, pobrania, obserwując*, ogląda, min czytania, czytania
sv: visningar, besökare, gillar, delningar, stjärnor, kommentar*, svar, recension*, betyg, röster, nedladdningar, följare, tittar, lästid, min läsning
ru: просмотр*, посетител*, посещени*, лайк*, нравится, поделились, звёзд*, звезд*, комментари*, ответ*, отзыв*, оцен*, голос*, скачиван*, загрузок, подписчик*, онлайн, смотрят, чтения, мин чтения, время чтения
tr: görüntüle*, ziyaretçi*, beğeni*, paylaşım*, yıldız*, yorum*, yanıt*, değerlendirme*, oy, indirme*, takipçi*, çevrimiçi, okuma, dk okuma
ja: 閲覧, 回視聴, 回再生, 再生回数, ビュー, 訪問者, いいね, シェア, スター, コメント, 返信, 口コミ, クチコミ, レビュー, 評価, 投票, ダウンロード, フォロワー, 登録者, オンライン, が見ています, 人が閲覧, 分で読めます, 読了
zh: 浏览, 瀏覽, 阅读, 閱讀, 观看, 觀看, 次播放, 访客, 訪客, 点赞, 赞, 按讚, 分享, 转发, 收藏, 评论, 評論, 留言, 回复, 回覆, 评价, 評價, 评分, 投票, 下载, 下載, 粉丝, 关注, 在线, 線上, 正在查看, 人在看
ko: 조회, 조회수, 방문자, 좋아요, 공유, 댓글, 답글, 리뷰, 후기, 평점, 투표, 다운로드, 팔로워, 구독자, 접속자, 온라인, 보고 있습니다

[unit]
en: second, seconds, sec, secs, minute, minutes, min, mins, hour, hours, hr, hrs, day, days, week, weeks, month, months, year, years, s, m, h, d, w, mo, y, yr, yrs
de: sekunde, sekunden, sek, minute, minuten, min, stunde, stunden, std, tag, tage, tagen, woche, wochen, monat, monate, monaten, jahr, jahre, jahren
fr: seconde, secondes, minute, minutes, min, heure, heures, h, jour, jours, semaine, semaines, mois, an, ans, année, années
es: segundo, segundos, minuto, minutos, min, hora, horas, h, día, días, semana, semanas, mes, meses, año, años
it: secondo, secondi, minuto, minuti, min, ora, ore, giorno, giorni, settimana, settimane, mese, mesi, anno, anni
nl: seconde, seconden, minuut, minuten, min, uur, uren, dag, dagen, week, weken, maand, maanden, jaar, jaren
pt: segundo, segundos, minuto, minutos, min, hora, horas, dia, dias, semana, semanas, mês, meses, ano, anos
pl: sekund*, minut*, min, godzin*, godz, dzień, dni, tydzień, tygodni*, miesiąc*, miesięcy, rok, lata, lat
sv: sekund*, minut*, min, timme, timmar, tim, dag, dagar, vecka, veckor, månad*, år
ru: секунд*, сек, минут*, мин, час, часа, часов, ч, день, дня, дней, недел*, месяц*, год, года, лет
tr: saniye, dakika, dk, saat, gün, hafta, ay, yıl
ja: 秒, 分, 時間, 時, 日, 週間, か月, ヶ月, カ月, 月, 年
zh: 秒, 分钟, 分鐘, 小时, 小時, 天, 周, 週, 个月, 個月, 年
ko: 초, 분, 시간, 일, 주, 개월, 년

[ago]
en: ago, left, remaining, to go, ends in, starts in, closes in, begins in, expires in, starting in, ending in, time left, last seen, seen, uptime
de: vor, noch, verbleibend, verbleiben, endet in, beginnt in, startet in, zuletzt gesehen
fr: il y a, restant*, reste, restent, se termine dans, commence dans
es: hace, restante*, quedan, queda, termina en, empieza en, faltan
it: fa, rimanent*, mancano, termina tra, scade tra, inizia tra
nl: geleden, resterend, nog, eindigt over, begint over
pt: atrás, há, restante*, restam, faltam, termina em, começa em
pl: temu, pozostało, zostało
sv: sedan, kvar
ru: назад, осталось, остался, через
tr: önce, kaldı
ja: 前, 残り, あと
zh: 前, 剩余, 剩餘, 还剩, 還剩, 还有
ko: 전, 남음, 남았습니다

[relative]
en: now, just now, moments ago, today, yesterday, a, an, about, one, last, this
de: gerade eben, eben, heute, gestern, vorgestern, einer, einem, ca
fr: à l'instant, aujourd'hui, hier, avant-hier, environ, une, un
es: ahora, hoy, ayer, anteayer, un, una
it: adesso, ora, oggi, ieri, un, un'
nl: zojuist, vandaag, gisteren, eergisteren, een
pt: agora, hoje, ontem, anteontem, um, uma
pl: teraz, przed chwilą, dziś, dzisiaj, wczoraj
sv: nyss, idag, igår
ru: сейчас, только что, сегодня, вчера, позавчера
tr: şimdi, bugün, dün
ja: たった今, 今, 今日, 昨日, 一昨日
zh: 刚刚, 剛剛, 今天, 昨天, 前天
ko: 방금, 오늘, 어제

[asof]
en: updated, update, last modified, modified, as of, as at, generated, last checked, checked, last refreshed, refreshed, retrieved, last change, current time, local time, time now, it is now, server time, today is, copyright, ©, rendered, served, built, cached, last build, crawled, data from
de: aktualisiert, aktualisierung, stand, zuletzt geändert, geändert am, erstellt am, abgerufen, zuletzt geprüft, ortszeit, uhrzeit, letzte änderung, heute ist
fr: mis à jour, mise à jour, mis à jour le, dernière modification, modifié, généré, vérifié, heure locale, consulté
es: actualizad*, última actualización, modificad*, generad*, comprobado, hora local, consultado
it: aggiornat*, ultimo aggiornamento, ultima modifica, generat*, verificato, ora locale
nl: bijgewerkt, laatst gewijzigd, gewijzigd, gegenereerd, gecontroleerd, lokale tijd
pt: atualizad*, actualizad*, última atualização, modificad*, gerad*, verificado, hora local
pl: zaktualizowan*, aktualizacja, ostatnia zmiana, wygenerowan*, stan na
sv: uppdaterad*, senast ändrad, genererad, lokal tid
ru: обновлен*, обновлён*, изменен*, изменён*, сгенерирован*, по состоянию на, местное время
tr: güncelle*, son değişiklik, oluşturuldu
ja: 更新, 最終更新, 現在, 現在時刻, 時点
zh: 更新, 最后更新, 最後更新, 截至, 当前时间, 現在時間
ko: 업데이트, 수정, 최종 수정, 기준, 현재 시각

[currency]
all: eur, usd, gbp, chf, jpy, cny, rmb, sek, nok, dkk, pln, czk, huf, rub, try, inr, krw, brl, cad, aud, nzd, mxn, euro, euros, dollar, dollars, pounds, kr, zł, kč, ft, fr, руб*, р, tl, 円, 元, 원, грн

[version]
all: version, release, versión, versione, versie, versão, wersja, версия, バージョン, 版本, 버전, v, build

[legal]
en: privacy, privacy policy, terms, terms of service, terms of use, imprint, legal notice, accessibility, cookie policy
de: impressum, datenschutz, datenschutzerklärung, agb, nutzungsbedingungen, widerruf
fr: mentions légales, confidentialité, conditions générales
es: aviso legal, privacidad, condiciones
it: note legali, privacy, condizioni
nl: voorwaarden, privacybeleid, colofon
pt: privacidade, termos
ja: 利用規約, プライバシーポリシー, 特定商取引法
zh: 隐私政策, 服务条款
ru: конфиденциальност*, условия

[slot]
all: ad, ads, advert, adverts, advertisement, advertising, adslot, adsbygoogle, banner-ad, sponsor, sponsored, sponsors, promo, promoted, promotion, teaser-ad, werbung, anzeige, publicidad, pub, cookie, cookies, cookiebar, cookie-banner, consent, gdpr, ccpa, related, recommended, recommendations, suggestions, suggested, trending, popular, carousel, slider, testimonial, testimonials, newsletter, widget, ticker-ad, also-bought, similar, upsell
`
