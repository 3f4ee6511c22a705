/** Words of a clause before a participle that are looked at. */
const REACH = 5;

/** Whether a sentence has a passive. House rule: by its words alone, without a grammar. */
export function hasPassive(sentence: string, language: "en" | "de"): boolean {
  return clausesOf(sentence).some(language === "en" ? isEnglishPassive : isGermanPassive);
}

/** The words of the sentence's clauses, as they are written. */
function clausesOf(sentence: string): string[][] {
  return sentence
    .split(/[,;:–—()]|\s-\s/)
    .map((clause) => clause.replace(/[’]/g, "'").match(/[\p{L}\p{M}'-]+/gu) ?? [])
    .filter((words) => words.length > 1);
}

const TO_BE = new Set(
  "am are is was were be been being isn't aren't wasn't weren't it's he's she's that's there's they're we're you're i'm".split(
    " ",
  ),
);
const TO_GET = new Set("get gets got getting gotten".split(" "));
/** Words that may stand between "to be" and its participle, besides adverbs on -ly. */
const BETWEEN = new Set(
  "not never always often also already just now still then only even soon once ever being been rarely seldom almost all both each well better best first never yet here there again later usually they we you he she it i".split(
    " ",
  ),
);

function isEnglishPassive(words: string[]): boolean {
  const clause = words.map((word) => word.toLowerCase());
  return clause.some((word, at) => {
    const isBe = TO_BE.has(word);
    if (!isBe && !TO_GET.has(word)) return false;
    for (let next = at + 1; next < clause.length && next <= at + REACH; next++) {
      const candidate = clause[next] ?? "";
      // "It's got", "he's done it": the short form of "has" comes before a participle and its object.
      if (isEnglishParticiple(candidate)) return !(isBe && STATES.has(candidate)) || clause[next + 1] === "by";
      if (!BETWEEN.has(candidate) && !candidate.endsWith("ly")) return false;
    }
    return false;
  });
}

function isEnglishParticiple(word: string): boolean {
  if (IRREGULAR.has(word.replace(/^(?:un|re|over|under|out|mis|pre)(?=.{3})/, "")) || IRREGULAR.has(word)) return true;
  return /(?:[^e]|agre|fre|guarante)ed$/.test(word) && word.length > 3 && !NO_PARTICIPLE.has(word);
}

/** Irregular participles, from retext-passive 5.0.0 (Titus Wormer, MIT licence), without its past tenses. */
const IRREGULAR = new Set(
  (
    "awoken beaten begun bent bitten bled blown broken brought built bought caught chosen dealt done drawn driven eaten fed felt " +
    "fought found forbidden forgotten forgiven frozen gotten given ground heard hidden hit held hurt kept known laid led let lost " +
    "made meant met paid put proven read ridden rung run said seen sold sent shaken shot shown shut sung sunk slain slid spoken " +
    "spent spun split spread stolen struck swept swung taken taught torn told thought thrown undergone understood upset worn won " +
    "withdrawn written bound bred broadcast burnt cast cut dug drunk fled flung foregone forsaken hung learnt left lent misspelt " +
    "mistaken mown overcome overdone overtaken overthrown rid set sewn shed shod shorn slit sought sown spilt stuck stung sworn " +
    "trodden upheld woven wound withheld withstood wrung"
  ).split(" "),
);

/** Participles that name a state far more often than something that is done to somebody. House list. */
const STATES = new Set(
  (
    "accustomed advanced afraid alarmed amazed amused annoyed ashamed astonished aged bored certified clogged committed complicated " +
    "concerned confused connected convinced crowded dedicated delighted depressed detailed determined devoted disappointed divorced " +
    "done drunk embarrassed engaged entitled equipped excited exhausted experienced fascinated finished fed frightened frustrated gone grown " +
    "hidden impressed inclined informed insured interested involved known located lost lined limited married meant mistaken motivated obliged pleased " +
    "prepared qualified related relaxed relieved reserved retired satisfied scared shocked skilled stuck supposed surprised " +
    "suited talented tired thrilled unknown upset used worried worn wrecked overwhelmed crooked closed stressed"
  ).split(" "),
);

/** Words on -ed that are no participles. */
const NO_PARTICIPLE = new Set(
  "bed red shed sled wed need seed feed speed weed deed breed bleed indeed exceed proceed succeed hundred sacred naked wicked rugged ragged wretched kindred biped aged beloved".split(
    " ",
  ),
);

const WERDEN = new Set(
  "werde wirst wird werden werdet wurde wurdest wurden wurdet würde würdest würden würdet".split(" "),
);
const HAVE_OR_BE = new Set("haben sein".split(" "));
const NOT_AFTER_WERDEN = new Set("können müssen sollen dürfen wollen mögen lassen".split(" "));

/** "Werden" with a participle, not in front of "haben" or "sein": that is the future perfect. "Worden" is passive anywhere. */
function isGermanPassive(clause: string[]): boolean {
  const words = clause.map((word) => word.toLowerCase());
  if (words.includes("worden")) return true;
  const at = words.findIndex((word) => WERDEN.has(word));
  if (at < 0) return false;
  return clause.some((word, index) => {
    if (index === at || !isGermanParticiple(word, index === 0)) return false;
    const next = words[index + 1] ?? "";
    return !HAVE_OR_BE.has(next) && !NOT_AFTER_WERDEN.has(words.at(-1) ?? "");
  });
}

/** Prefixes that are not parted from their verb: their participle has no "ge". */
const PREFIX = "(?:be|emp|ent|er|ge|miss|ver|zer|über|unter|wider|hinter|voll|um|durch|wieder)";
/** Strong participles on -en, by their ending: "beschrieben" and "geschrieben" have the same. */
const STRONG = `(?:${(
  "backen beten bissen blieben bogen borgen boten braten brochen bunden dorben drungen fahren fallen falten fangen flogen " +
  "flossen fressen froren funden gangen geben gessen glichen glitten golten gossen graben griffen halten hangen hauen " +
  "hießen hoben holfen kommen koren laden lassen laufen legen lesen liehen litten logen loren lungen mahlen messen mieden " +
  "molken nommen nossen pfiffen priesen quollen raten rieben rissen ritten rochen ronnen rufen salzen schehen schieden " +
  "schlagen schlichen schliffen schlossen schmolzen schnitten schoben scholten schossen schrieben schritten schwiegen " +
  "schwommen schworen schwunden sehen sessen sonnen spalten sponnen sprochen sprungen standen stiegen stochen storben " +
  "stoßen strichen stritten stunken sungen sunken tan tragen treten trieben troffen trunken wachsen waschen wesen wichen " +
  "wiesen woben wogen wonnen worben worfen wunden zogen zwungen"
)
  .split(" ")
  .join("|")})`;
const GERMAN_PARTICIPLE = new RegExp(
  `^(?:(?:\\p{L}{0,12}ge\\p{L}{2,}t)|(?:\\p{L}{0,12}ge${STRONG})|(?:\\p{L}{0,12}?${PREFIX}\\p{L}{2,}t)|(?:\\p{L}{0,12}?${PREFIX}${STRONG})|(?:\\p{L}{2,}iert)|getan|gegessen)$`,
  "u",
);
/** What looks like a participle and is none, or is one of becoming. */
const NO_GERMAN_PARTICIPLE = new Set(
  (
    "alt ausgerechnet befahren begeistert behalten bekannt beliebt beliebter beraten bereit bereits berühmt " +
    "bescheiden betreten bewusst bunt dicht echt empfangen enthalten entlassen erfahren erhalten erst ertragen " +
    "erwachsen feucht geben gebären gedeihen geduldig geeignet gefallen gehen gehören gelassen gelingen gelten " +
    "gemeinsam genesen genießen gerade geraten gerecht gern gerne gesamt geschehen geschickt gestehen gesund " +
    "gewinnen gewohnt gut interessiert kalt leicht nicht recht schlecht umfahren umgezogen unbekannt unterhalten " +
    "vergessen verlassen verlegen verlesen verliebt verraten verrückt verschieden verstoßen vertragen vertraut " +
    "verwandt vielleicht wert zuerst älter überhaupt überlegen übernächst übersehen"
  ).split(" "),
);

function isGermanParticiple(word: string, isFirst: boolean): boolean {
  // A noun has a capital.
  if (!isFirst && word !== word.toLowerCase()) return false;
  const lower = word.toLowerCase();
  return GERMAN_PARTICIPLE.test(lower) && !NO_GERMAN_PARTICIPLE.has(lower);
}
