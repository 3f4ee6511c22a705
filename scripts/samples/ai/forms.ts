import type { KindName } from "@/scripts/samples/ai/paragraphs";

/** {T}: the topic in at most three words. */
export const KEYWORD_FORMS: [form: string, intent: string][] = [
  ["{T} for beginners", "informational"],
  ["best {T} tools", "commercial"],
  ["how to start {T}", "informational"],
  ["{T} checklist", "informational"],
  ["{T} starter kit", "transactional"],
  ["{T} mistakes", "informational"],
  ["{T} cost", "commercial"],
  ["{T} community forum", "navigational"],
  ["{T} step by step", "informational"],
  ["is {T} worth it", "commercial"],
  ["{T} plan template", "transactional"],
  ["{T} examples", "informational"],
  ["{T} on a budget", "commercial"],
  ["{T} weekly routine", "informational"],
  ["{T} course login", "navigational"],
  ["{T} reviews", "commercial"],
  ["buy {T} supplies", "transactional"],
  ["{T} at home", "informational"],
  ["{T} basics", "informational"],
  ["{T} near me", "navigational"],
  ["{T} compared", "commercial"],
  ["why {T} fails", "informational"],
  ["{T} calendar", "informational"],
  ["{T} prices", "commercial"],
  ["{T} for small spaces", "informational"],
  ["{T} questions", "informational"],
  ["{T} workshop booking", "transactional"],
  ["{T} ideas", "informational"],
  ["improve {T} results", "informational"],
  ["{T} maintenance", "informational"],
  ["{T} for families", "informational"],
  ["{T} alternatives", "commercial"],
];

/** Ends of titles, after the keyword. Lengths vary, so that short and long keywords both find some that fit. */
export const IDEA_TAILS: [tail: string, intent: string][] = [
  ["a small start for people with little time", "informational"],
  ["what to buy and what to leave out", "commercial"],
  ["the mistakes that cost most", "informational"],
  ["how to tell whether it is working", "informational"],
  ["which way suits you best", "commercial"],
  ["where to begin", "informational"],
  ["what to prepare before the first attempt", "informational"],
  ["a plan for one weekend", "informational"],
  ["what it really costs", "commercial"],
  ["how to go on after a failed first attempt", "informational"],
  ["what to skip", "informational"],
  ["a calm plan for the first month", "informational"],
  ["the tools you really need", "commercial"],
  ["questions to settle before spending money", "commercial"],
  ["how long it takes", "informational"],
  ["the routine that survives a busy week", "informational"],
  ["alone or with help?", "commercial"],
  ["an example to follow", "informational"],
  ["fixing what went wrong", "informational"],
  ["what changes once you do it every week", "informational"],
  ["is it worth it?", "commercial"],
  ["what to check first", "informational"],
  ["a comparison of the usual ways", "commercial"],
  ["step by step", "informational"],
  ["how to explain it to people around you", "informational"],
  ["a checklist", "transactional"],
  ["how to do it on a small budget", "commercial"],
  ["in practice", "informational"],
  ["what comes after", "informational"],
  ["when to stop", "informational"],
];

type OutlineForm = { headings: string[]; brief: string; points: [heading: string, delivers: string][] };

/** Headings by kind; the points match the second and third paragraph of that kind. */
export const OUTLINE_HEADINGS: Record<KindName, OutlineForm> = {
  answer: {
    headings: ["The short answer: {K}", "In short: {K}", "The answer first: {K}"],
    brief: "Answer the title's question in a few sentences, and say for whom the answer holds.",
    points: [],
  },
  basics: {
    headings: ["What stands behind {S}", "What {K} means in practice", "Understanding {S} before you act"],
    brief: "Give the reader the three questions that everything else depends on.",
    points: [
      ["What changes and what stays", "Separate lasting principles from names and prices that come and go."],
      ["A definition to work with", "Help the reader put it into one sentence of their own."],
    ],
  },
  steps: {
    headings: [
      "The steps, in the order that works",
      "How to start without a false start",
      "From the first step to the first result",
    ],
    brief: "List the steps in order, and say why none should be skipped the first time.",
    points: [
      ["Keep the first round small", "Name the smallest unit that can be finished."],
      ["Write one line after each", "Show what a one-line note is good for three weeks later."],
    ],
  },
  plan: {
    headings: ["A plan that fits on one page", "A routine for ordinary weeks", "The first month, week by week"],
    brief: "Show what belongs on the page, and what does not.",
    points: [
      ["Leave gaps on purpose", "Explain why a schedule without slack breaks."],
      ["Review it at a fixed moment", "Give the questions for a ten-minute review."],
    ],
  },
  tools: {
    headings: ["What you need, and what can wait", "The tools worth having", "Equipment for a first round"],
    brief: "Name what is enough for the first month, and the test for anything more.",
    points: [
      ["Try it by hand once", "Say what doing it by hand teaches before money is spent."],
      ["Tools you can leave again", "Give the one question to ask before choosing."],
    ],
  },
  choose: {
    headings: ["How to choose between the options", "Which way to go", "Comparing the usual ways"],
    brief: "Compare the ways honestly, and say when the difference matters.",
    points: [
      ["Three points of comparison", "Name the three points and why a longer list misleads."],
      ["Whom to ask", "Explain what people who stopped can tell you."],
    ],
  },
  cost: {
    headings: [
      "What it costs in money and time",
      "The price, worked out honestly",
      "Money, time and what they are worth",
    ],
    brief: "Work the cost out for the reader's own case; mark prices that need a source.",
    points: [
      ["Minutes a week", "Turn the total into a weekly figure that can be compared."],
      ["What to spend on first", "Order the spending by how often a thing is used."],
    ],
  },
  mistakes: {
    headings: ["Mistakes that cost the most", "Where it usually goes wrong", "Traps to avoid early"],
    brief: "Describe the commonest mistake, how to notice it and how to undo it.",
    points: [
      ["Copying somebody else's set-up", "Say which two questions to ask about a picture that looks perfect."],
      ["Stopping too early", "Explain the stretch without visible results."],
    ],
  },
  measure: {
    headings: ["How to tell whether it works", "Signs of progress worth watching", "Keeping track without fuss"],
    brief: "Give one sign the reader can watch, and the days on which to look.",
    points: [
      ["The usual shape of progress", "Describe gain, plateau and second gain."],
      ["Rules for each outcome", "Settle beforehand what follows from which result."],
    ],
  },
  example: {
    headings: ["An example from an ordinary week", "What it can look like", "One case, from start to finish"],
    brief: "Walk through one ordinary week with all its interruptions.",
    points: [
      ["What the weekend shows", "Compare what was planned with what happened."],
      ["Why it holds", "Say which parts the reader can change without losing the effect."],
    ],
  },
  worry: {
    headings: ["If you think “{C}”", "The worry behind “{C}”", "When “{C}” holds you back"],
    brief: "Take the reader's worry seriously and make it small enough to test.",
    points: [
      ["A question with a date", "Turn the doubt into something that can be answered next week."],
      ["Keep what you like about it", "Make sure the plan contains what drew the reader here."],
    ],
  },
  next: {
    headings: ["Your next step", "What to do next, before tomorrow evening", "Where to go from here"],
    brief: "End with one action that can be done today.",
    points: [],
  },
};
