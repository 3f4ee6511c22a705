/**
 * Articles, prepositions, conjunctions and forms of "to be" in the most written languages, each in lower case. Words that
 * negate or ask are not among them: "with" is here and "without" is not.
 */
const BY_LANGUAGE = {
  arabic: "و في من على إلى الى عن مع هو هي هذا هذه",
  dutch: "de het een en of in op aan van voor met bij naar uit om te is zijn je jouw uw",
  english: "a an the and or of for in on at to with from by is are be your my our this these",
  french: "le la les l un une des de du d et ou à a au aux en dans sur pour par avec est sont votre vos ce ces",
  german:
    "der die das den dem des ein eine einen einem einer eines und oder in im an am auf für mit von vom zu zum zur bei aus ist sind dein deine ihr ihre",
  hebrew: "של את על אל עם הוא היא זה זו",
  hindi: "का के की को में से पर और या है हैं यह ये",
  indonesian: "di ke dari dan atau untuk dengan pada yang ini itu",
  italian: "il lo la i gli le l un uno una e ed o di del della dei delle a al alla in nel nella su per con da è sono",
  persian: "و در از به با برای که را این است",
  polish: "i oraz lub w we na do z ze za o od po dla przy jest są ten ta to",
  portuguese: "o a os as um uma e ou de do da dos das em no na nos nas por para com ao à é são seu sua",
  russian: "и или в во на с со из к ко о об от до по для у за это",
  spanish: "el la los las un una unos unas y e o u de del a al en por para con es son tu tus su sus",
  swedish: "en ett den det de och eller i på av för med till från vid om är din ditt",
  turkish: "ve veya ile için bir bu şu de da",
  ukrainian: "і й та або в у на з із до від по для за це",
  vietnamese: "và hoặc của cho trong trên với từ là các những một",
};

/** Words that say little about what a title is about, and that two wordings of one title may differ by. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  Object.values(BY_LANGUAGE).flatMap((words) => words.split(" ")),
);
