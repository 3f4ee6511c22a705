import { comparedWords } from "@/lib/utils/text";

/** Whether a sentence has a word that leads from one thought to another. */
export function hasTransition(sentence: string, language: "en" | "de"): boolean {
  const { anywhere, first, withComma, notBefore } = LISTS[language];
  const words = comparedWords(sentence, language).join(" ");
  const spoken = ` ${words} `;
  if (anywhere.some((phrase) => spoken.includes(` ${phrase} `))) return true;
  if (first.some((phrase) => spoken.startsWith(` ${phrase} `)) && !notBefore.test(words)) return true;
  // "First, …" leads on and "The first frost" does not.
  const begin = comparedWords(/^[^,]{0,40},/.exec(sentence)?.[0] ?? "", language).join(" ");
  if (withComma.includes(begin)) return true;
  return AFTER_COMMA[language].test(sentence);
}

const AFTER_COMMA = {
  en: /[,;] so (?:you|we|they|it|i|he|she|the|there|that|your|our|their)\s/iu,
  de: /[,;] (?:denn|da|während|sodass|so dass|doch|aber|jedoch|sondern|indem|damit|obwohl|weil|falls|nachdem|bevor|schließlich|wenn auch)\s/u,
};

type Lists = { anywhere: string[]; first: string[]; withComma: string[]; notBefore: RegExp };

const LISTS: Record<"en" | "de", Lists> = {
  /**
   * The explicit connectives of the Federal Plain Language Guidelines (plainlanguage.gov, public domain), and words of the same
   * use. Those with other senses count only where a sentence begins.
   */
  en: {
    anywhere:
      `however|therefore|because|although|though|even though|for example|for instance|in contrast|by contrast|on the contrary|moreover|furthermore|nevertheless|nonetheless|consequently|accordingly|thus|hence|meanwhile|otherwise|as a result|as a consequence|in addition|additionally|on the other hand|on the one hand|in other words|in short|in fact|in particular|in conclusion|to sum up|in summary|that is why|whereas|unless|likewise|similarly|in the same way|in comparison|compared to|despite|in spite of|instead|rather than|above all|after all|at the same time|in the meantime|so that|in order to|due to|as soon as|as long as|subsequently|afterwards|afterward|eventually|finally|specifically|namely|notably|regardless|even so|for this reason|for that reason|as well as|not only|provided that|given that|which means|that means|to begin with|at first|in the end|until|by the time`.split(
        "|",
      ),
    first:
      "then|also|but|while|next|lastly|since|besides|thirdly|secondly|firstly|before|after|once|if|yet|equally|overall|ultimately|again|plus|when".split(
        "|",
      ),
    withComma:
      "first|second|third|fourth|last|still|so|now|further|of course|indeed|that said|later|soon|above|below|clearly|and yet|in turn|in general|generally|first of all|second of all|most importantly|more importantly|in practice|to start|even then|and then|too|as before|here".split(
        "|",
      ),
    notBefore:
      /^(?:since (?:\d|then|january|february|march|april|may|june|july|august|september|october|november|december|monday|last|my |his |her |our |their |the (?:\d|war|spring|summer|autumn|winter|beginning|start))|once (?:a|every|in|upon|per)\b|while away|next (?:year|week|month|to|door|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter|morning|time|in)\b|again and|after (?:\d|a|an|the|one|two|three|four|five|six|noon|lunch|dinner|work|school|that day)\b|before (?:\d|a|an|the|noon|lunch|dinner|work|school)\b|when (?:is|are|was|were|do|does|did|will|can|should|would)\b|then and now|if only|but for|also known)/,
  },
  /** Conjunctions and adverbs of connection as German grammars list them. House list. */
  de: {
    anywhere:
      `trotzdem|deshalb|deswegen|daher|weil|obwohl|obgleich|zum beispiel|beispielsweise|außerdem|zudem|darüber hinaus|jedoch|dennoch|allerdings|hingegen|dagegen|im gegensatz|im gegenteil|einerseits|andererseits|zum einen|zum anderen|folglich|infolgedessen|demnach|somit|sodass|so dass|nämlich|schließlich|zunächst|anschließend|danach|daraufhin|inzwischen|währenddessen|stattdessen|ansonsten|andernfalls|sonst|kurz gesagt|mit anderen worten|das heißt|insbesondere|vor allem|ebenso|ebenfalls|gleichzeitig|zusammenfassend|letztlich|letztendlich|aus diesem grund|dadurch|sondern|falls|sofern|nachdem|bevor|sobald|solange|indem|im vergleich|ferner|des weiteren|nichtsdestotrotz|gleichwohl|immerhin|zwar|sowohl|weder|entweder|erstens|zweitens|drittens|zuletzt|später|bis dahin|kurzum|im übrigen|übrigens`.split(
        "|",
      ),
    first: "doch|aber|dann|also|denn|auch|wenn|da|während|ebenso|so|zuerst".split("|"),
    withComma: [],
    notBefore:
      /^(?:da (?:hinten|vorne|vorn|oben|unten|drüben|draußen|drinnen|ist|sind|war|waren|steht|stehen|liegt|kommt|kam|hat|haben|bin|geht|gibt|sitzt|hängt|wohnt|war)\b|während (?:des|der|dieser|dieses|eines|einer|meiner|meines|unserer|unseres)\b|so (?:ein|eine|einen|viel|viele|groß|gut|wie|weit|lange)\b|auch wenn nicht\b|wenn nicht\b|dann und wann)/,
  },
};
