/**
 * Articles, prepositions, conjunctions and forms of "to be" in the most written languages, by ISO 639-1 code and each in lower
 * case. Words that negate or ask are not among them: "with" is here and "without" is not.
 */
const BY_LANGUAGE = {
  ar: "و في من على إلى الى عن مع هو هي هذا هذه",
  nl: "de het een en of in op aan van voor met bij naar uit om te is zijn je jouw uw",
  en: "a an the and or of for in on at to with from by is are be your my our this these",
  fr: "le la les l un une des de du d et ou à a au aux en dans sur pour par avec est sont votre vos ce ces",
  de: "der die das den dem des ein eine einen einem einer eines und oder in im an am auf für mit von vom zu zum zur bei aus ist sind dein deine ihr ihre",
  he: "של את על אל עם הוא היא זה זו",
  hi: "का के की को में से पर और या है हैं यह ये",
  id: "di ke dari dan atau untuk dengan pada yang ini itu",
  it: "il lo la i gli le l un uno una e ed o di del della dei delle a al alla in nel nella su per con da è sono",
  fa: "و در از به با برای که را این است",
  pl: "i oraz lub w we na do z ze za o od po dla przy jest są ten ta to",
  pt: "o a os as um uma e ou de do da dos das em no na nos nas por para com ao à é são seu sua",
  ru: "и или в во на с со из к ко о об от до по для у за это",
  es: "el la los las un una unos unas y e o u de del a al en por para con es son tu tus su sus",
  sv: "en ett den det de och eller i på av för med till från vid om är din ditt",
  tr: "ve veya ile için bir bu şu de da",
  uk: "і й та або в у на з із до від по для за це",
  vi: "và hoặc của cho trong trên với từ là các những một",
};

export const FUNCTION_WORDS_BY_LANGUAGE: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(BY_LANGUAGE).map(([code, words]) => [code, new Set(words.split(" "))]),
);

/** Words that say little about what a title is about, and that two wordings of one title may differ by. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  Object.values(BY_LANGUAGE).flatMap((words) => words.split(" ")),
);
