/**
 * Removes a first line that announces the text, such as "Here is the rewritten section:", with the blank line after it. Any
 * other word in the line makes it a part of the text: "Here is the section of the form to fill in:" stays.
 */
export function withoutAnnouncement(markdown: string): string {
  const line = /^[^\n]{1,200}/.exec(markdown)?.[0] ?? "";
  const rest = markdown.slice(line.length);
  const blank = /^\n[^\S\n]*\n/.exec(rest)?.[0];
  if (!blank || !/[:：]/.test(line)) return markdown;
  const words = line.replaceAll(/[*_]/g, "").normalize("NFC").toLowerCase().trim();
  return ANNOUNCEMENTS.some((announcement) => announcement.test(words)) ? rest.slice(blank.length) : markdown;
}

/** Alternatives of a regular expression; together they are all that an announcement may consist of. */
type Language = {
  /** "Sure", before a comma or an exclamation mark. */
  agrees: string;
  /** "Here is". */
  opens: string;
  /** Articles, pronouns and adjectives, before or after the noun. */
  words: string;
  /** "Rewritten": with this the noun needs no opening. */
  reworked: string;
  /** What the text may be called. */
  nouns: string;
  /** "Of", "for". */
  of: string;
  /** What the text may belong to, besides the nouns. */
  whole: string;
};

const LANGUAGES: Language[] = [
  {
    agrees: "sure(?: thing)?|certainly|of course|absolutely|okay|ok|great",
    opens: "here is|here['’]s|below is",
    words:
      "the|an|a|your|this|new|full|complete|final|improved|updated|edited|requested|shorter|longer|simpler|shortened|expanded|translated|polished|markdown|blog|you asked for|you requested|as requested|below",
    reworked: "rewritten|revised|reworked",
    nouns: "section|outline|version|rewrite|article|draft",
    of: "of|for|in",
    whole: "text|post|paragraph|selection|passage|markdown",
  },
  {
    agrees: "gerne?|natürlich|klar|sicher|selbstverständlich",
    opens: "hier (?:ist|kommt|findest du|finden sie)|unten (?:ist|steht|findest du)|nachfolgend|anbei",
    words:
      "die|der|das|den|dem|deinen?|deines|deiner|ihren?|ihres|eine|ein|neuer?|neuen|vollständiger?|vollständigen|gekürzter?|gekürzten|verbesserter?|verbesserten|aktualisierter?|kürzere|längere|einfachere",
    reworked: "überarbeitete[rn]?|umgeschriebene[rn]?|neu geschriebene[rn]?",
    nouns: "abschnitt|gliederung|fassung|version|überarbeitung|artikel|entwurf",
    of: "für|zu|von|des|der",
    whole: "artikels|abschnitts|text|textes|beitrag|beitrags",
  },
  {
    agrees: "claro(?: que sí)?|por supuesto|desde luego",
    opens: "aquí (?:está|tienes|tiene|va)|a continuación(?: está)?|esta es|este es",
    words:
      "la|el|una|un|tu|su|nueva|nuevo|completa|completo|actualizada|actualizado|mejorada|mejorado|abreviada|más corta|más larga|solicitada|solicitado|final",
    reworked: "reescrita|reescrito|revisada|revisado",
    nouns: "sección|esquema|versión|reescritura|artículo|borrador",
    of: "del?|para",
    whole: "texto|entrada|párrafo",
  },
  {
    agrees: "bien sûr|certainement|d['’]accord|avec plaisir|volontiers",
    opens: "voici|ci-dessous",
    words:
      "la|le|l['’]|une|un|votre|ta|ton|nouvelle|nouveau|complète|complet|améliorée|raccourcie|demandée|plus courte|plus longue|finale|mise à jour",
    reworked: "réécrite|réécrit|révisée|révisé|remaniée",
    nouns: "section|plan|version|réécriture|article|brouillon|ébauche",
    of: "de|du|pour",
    whole: "texte|paragraphe",
  },
  {
    agrees: "certo|certamente|naturalmente|va bene",
    opens: "ecco|qui (?:c['’]è|trovi)|di seguito",
    words:
      "la|il|lo|l['’]|una|un|tua|tuo|nuova|nuovo|completa|completo|aggiornata|aggiornato|migliorata|richiesta|più breve|più lunga|finale",
    reworked: "riscritta|riscritto|rivista|rivisto|revisionata",
    nouns: "sezione|schema|scaletta|versione|riscrittura|articolo|bozza",
    of: "del|dello|della|dell['’]|di|per",
    whole: "testo|paragrafo",
  },
  {
    agrees: "claro|certamente|com certeza",
    opens: "aqui (?:está|vai|tens|tem)|segue(?: abaixo)?|abaixo está|eis",
    words:
      "a|o|uma|um|sua|seu|tua|teu|nova|novo|completa|completo|atualizada|atualizado|melhorada|mais curta|mais longa|solicitada|final",
    reworked: "reescrita|reescrito|revisada|revisado|revista",
    nouns: "seção|secção|esboço|estrutura|versão|artigo|rascunho",
    of: "de|do|da|para",
    whole: "texto|parágrafo",
  },
  {
    agrees: "zeker|natuurlijk|graag|prima",
    opens: "hier (?:is|vind je|komt)|hieronder (?:staat|vind je)|hierbij",
    words: "de|het|een|je|jouw|uw|nieuwe|volledige|bijgewerkte|verbeterde|ingekorte|kortere|langere|gevraagde",
    reworked: "herschreven|herziene|aangepaste",
    nouns: "sectie|overzicht|opzet|versie|herschrijving|artikel|concept",
    of: "van|voor",
    whole: "tekst|alinea",
  },
  {
    agrees: "jasne|oczywiście|pewnie|chętnie",
    opens: "oto|poniżej(?: znajduje się| jest)?",
    words: "nowa|nowy|pełna|pełny|twoja|twój|zaktualizowana|skrócona|krótsza|dłuższa|gotowa|gotowy",
    reworked: "poprawiona|poprawiony|przepisana|przepisany|przeredagowana|przeredagowany|zmieniona",
    nouns: "sekcja|konspekt|plan|wersja|artykuł|szkic",
    of: "dla",
    whole: "artykułu|tekstu|sekcji",
  },
  {
    agrees: "好的|好|当然(?:可以)?|當然(?:可以)?|没问题|沒問題",
    opens: "以下是|下面是|这是|這是",
    words: "该|該|本|这个|這個|您的|你的|完整|新|更新后|更新後|精简后|优化后|要求|的|内容|內容|如下",
    reworked: "修改[后後]|改写[后後]|改寫後|重写[后後]?|重寫後?|修订[后後]?|修訂後?",
    nouns: "章节|章節|部分|小节|小節|大纲|大綱|提纲|版本|改写|改寫|文章|草稿|初稿",
    of: "的",
    whole: "本文|正文",
  },
  {
    agrees: "はい|もちろんです|もちろん|承知しました|かしこまりました",
    opens: "以下[がは]|こちら[がは]|下記[がは]",
    words: "新しい|完全な|この|その|ご依頼|短縮|更新|した|の|内容|です|になります",
    reworked: "書き直した|書き直し|修正した|修正|修正後|改訂した|改訂|リライトした",
    nouns: "セクション|アウトライン|構成案|バージョン|リライト|記事|原稿|草稿|下書き|改訂版|修正版|版",
    of: "の",
    whole: "本文|文章",
  },
  {
    agrees: "네|물론입니다|물론이죠|알겠습니다",
    opens: "다음은|아래는|여기",
    words: "새로운|전체|요청하신|완성된|해당|업데이트된|짧은|의|입니다|이에요|예요|이 있습니다|가 있습니다",
    reworked: "수정된|수정한|다시 쓴|다시 작성한|재작성된|재작성한|개정된",
    nouns: "섹션|개요|버전|수정본|글|기사|초안",
    of: "의",
    whole: "텍스트|본문",
  },
  {
    agrees: "ज़रूर|ज़रूर|जरूर|बिल्कुल|ठीक है",
    opens: "यहाँ|यहां|यह रहा|यह रही|नीचे|प्रस्तुत है|पेश है",
    words: "आपका|आपकी|आपके|इस|एक|नया|नई|पूरा|पूरी|छोटा|का|की|के|लिए|है|दिया गया है|दी गई है",
    reworked: "संशोधित|पुनर्लिखित|दोबारा लिखा(?: हुआ| गया)?|फिर से लिखा(?: हुआ| गया)?",
    nouns: "अनुभाग|खंड|रूपरेखा|संस्करण|लेख|मसौदा|ड्राफ्ट",
    of: "का|की|के",
    whole: "पाठ",
  },
];

const QUOTED = '["“„«「][^"”“»」]{1,100}["”“»」]';

const ANNOUNCEMENTS = LANGUAGES.map(({ agrees, opens, words, reworked, nouns, of, whole }) => {
  // Few repetitions of each part: the words may be read in several ways.
  const any = `(?:(?:${words}|${reworked}|${nouns})\\s*){0,5}`;
  const after = `(?:\\s*(?:${words}|${reworked})){0,3}(?:\\s*(?:${of})\\s*(?:(?:${words})\\s*){0,2}(?:${whole}|${nouns}))?`;
  const name = `(?:(?:\\s*(?:${of}))?\\s*${QUOTED})?`;
  const opening = `(?:(?:${opens})\\s*${any}|(?:(?:${words})\\s*){0,3}(?:${reworked})\\s*(?:的\\s*)?)`;
  const label = `(?:${nouns})\\s*(?:${reworked})`;
  return new RegExp(
    `^¡?(?:(?:${agrees})\\s*[!,.！，。、]\\s*)?(?:${opening}(?:${nouns})${after}${name}|${label})\\s*[:：]$`,
    "u",
  );
});
