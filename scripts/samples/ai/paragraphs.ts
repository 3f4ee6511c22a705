/**
 * The sample provider's texts. {S}: topic, {K}: focus keyword, {C}: a challenge of the reader, {I}: an interest, {A}:
 * project. Each kind has an opening, two paragraphs that match its subheadings in forms.ts, and a list or table.
 */
export type Kind = { match: RegExp; paragraphs: [string, string, string]; list?: string };

export const KINDS = {
  answer: {
    match: /short answer|in short|answer first|briefly/i,
    paragraphs: [
      "If you came here for “{K}”, the short version fits in a few lines: begin smaller than you planned, decide beforehand what a good result looks like, and change one thing at a time. Most of the trouble people have with {S} comes from doing the opposite, all at once, in the first week.",
      "The rest of this guide is the longer version. It goes in the order in which the questions usually turn up, so you can stop reading as soon as yours is answered and come back when the next one appears. Nothing in it needs special training; it needs an hour of attention and a place to write things down.",
      "One warning before the details. Advice about {S} tends to be written for an ideal situation: unlimited time, the right space, no earlier decisions to live with. Yours will differ somewhere. Where it does, keep the reasoning behind a step and drop the step itself.",
    ],
  },
  next: {
    match: /next|tomorrow|from here|where to go/i,
    paragraphs: [
      "The next step is small. Take a sheet of paper, write “{K}” at the top, and below it the one result you would like to see a month from now. Then write the first action that would bring it closer and can be done before tomorrow evening. Do that one, and leave the rest of the page empty.",
      "When it is done, come back to the section that matches your next question. The other guides on {A} take single parts of {S} further, and each can be read without the others. You do not have to finish all of them; you have to finish the next action.",
      "Put a reminder in your calendar for seven days from today with a single question in it: what changed? If the answer is a sentence, you are on the way, and the second round can begin. If it is a blank, make the action half as large and set the same reminder again.",
    ],
  },
  mistakes: {
    match: /mistake|wrong|avoid|trap|fail/i,
    paragraphs: [
      "The commonest mistake is changing several things at once. It feels efficient, and it makes the result impossible to read: if things improve you do not know what to keep, and if they get worse you do not know what to undo. One change at a time is slower by a week and faster by a season.",
      "The second is copying a set-up that was built for somebody else. What others show of {S} is usually the end of a long road, photographed on a good day. Ask what their first version looked like and what they would leave out now. Those two answers are more useful than the picture.",
      "A quieter one is stopping too early. Nearly everything in {S} has a stretch in which effort is visible and results are not. Decide in advance how long that stretch may last, put the date in the calendar, and do not judge before it.",
    ],
    list: "You are probably making one of them if:\n\n- you cannot say in one sentence what you changed last;\n- the plan has grown since you began, and nothing in it is finished;\n- you know what others do better, but not what you did last week.",
  },
  cost: {
    match: /cost|price|budget|money|time it takes|worth/i,
    paragraphs: [
      "The honest answer about money is that it depends on where you start, so work it out for your own case. List what you already own, what you can borrow, and only then what is left to buy. The third list is nearly always shorter than it felt, and it can be bought in two rounds instead of one.",
      "Time is the larger part of the price. Setting up takes an afternoon or two; keeping it going is what adds up. Estimate the weekly minutes rather than the total, because a weekly figure can be compared with the rest of your week. What people pay differs by region and season [source needed: current price comparison for {S}].",
      "Spend first on whatever you will touch every day and last on whatever impresses visitors. A good basic version of the everyday thing repays itself in patience. The impressive thing can wait until you know that you will still be doing this in three months.",
    ],
    list: "| Kind of cost | At the start | Every week |\n| --- | --- | --- |\n| Money | only what you cannot borrow | close to nothing |\n| Time | one or two afternoons | a fixed half hour |\n| Attention | a good deal | less each month |",
  },
  tools: {
    match: /tool|equipment|software|need|set-?up|prepare/i,
    paragraphs: [
      "You need less equipment than the pictures suggest. For a first round of {S} a list, a calendar and something to measure with will carry you a surprisingly long way. Add a tool when you can name the minute it would save and the day on which you last missed it.",
      "Before you buy anything, try the clumsy version by hand once. Doing it by hand shows which part is actually slow, and that is often not the part the tool is advertised for. It also gives you a fair comparison: you will know afterwards whether the purchase changed anything.",
      "Whatever you choose, prefer tools you can leave again. Ask how your notes, files or materials come out, not only how they go in. A tool that is easy to leave tends to be one whose makers have to keep it good.",
    ],
    list: "Enough for the first month:\n\n- one place for notes, on paper or on screen;\n- one fixed day in the calendar;\n- one simple way to measure where you stand.",
  },
  choose: {
    match: /choos|compar|versus|\bvs\b|option|which|decid/i,
    paragraphs: [
      "When two options look equally good, they usually are, and the choice matters less than the time spent on it. Set a limit for deciding, pick the one that is easier to reverse, and go on. If one of them cannot be reversed, that is the real difference between them, and it deserves the longer look.",
      "Compare on three points only: how well it serves the aim you wrote down, what it asks of you every week, and what happens if it fails. A longer list of criteria feels thorough, yet it mostly lets a decision hide behind details. Three points can be explained to somebody else in a minute.",
      "Ask people who stopped as well as people who stayed. Those who stayed will tell you what they like. Those who stopped know what it costs, and their reason is either one that applies to you too or one that clearly does not. Both are good to know before you begin.",
    ],
    list: "| | Small start | Large start |\n| --- | --- | --- |\n| First result | within days | within weeks |\n| Undoing it | easy | expensive |\n| Good for | finding out | what is settled already |",
  },
  measure: {
    match: /measure|track|progress|sign|tell whether|check|result/i,
    paragraphs: [
      "Choose one sign of progress before you begin and look at it on fixed days. It should be something you can see without interpretation: finished or not, more or fewer, earlier or later. Feelings about {S} swing with the weather; a simple tally does not, and it is what you will believe in a month.",
      "Do not expect the line to rise evenly. The usual shape is a quick gain, a flat stretch, and then a second, slower gain that lasts. Knowing this beforehand keeps the flat stretch from looking like failure. If it lasts longer than you allowed for, that is the moment to change one thing.",
      "Write down what you will do at each outcome while you are still calm about it. Better than hoped: keep going and change nothing. As expected: go on to the next step. Worse: go back one step and repeat it smaller. With the rules settled, the review takes minutes instead of an evening.",
    ],
    list: "Good signs to watch:\n\n- something is finished that was open a week ago;\n- the same task takes less preparation than before;\n- somebody else has noticed without being told.",
  },
  worry: {
    match: /worr|fear|doubt|afraid|hesitat|“/i,
    paragraphs: [
      "Perhaps the thought that keeps you from starting is “{C}”. It is a reasonable thought. It is also about the whole of {S} at once, and nobody does the whole at once. Ask it again about the first step alone, the one that fits into half an hour, and see how much of it is left.",
      "Doubt is useful as long as it asks something that can be answered. Turn it into a question with a date: by the end of next week, will this have taken more than two evenings? Then find out. Either the worry goes away, or it has become a fact you can plan around.",
      "And keep hold of what you like about it. If “{I}” is what drew you here, make sure that the first round contains some of it. People keep up what they enjoy and drop what is merely sensible, so a plan with some pleasure in it is not an indulgence but the more careful plan.",
    ],
  },
  example: {
    match: /example|ordinary week|case|look like|picture/i,
    paragraphs: [
      "Picture an ordinary week. On Monday somebody decides to take {S} seriously and writes the aim on a card. On Tuesday they look at what is there already and find half of what they thought they had to buy. By Thursday the first small round is done, not perfectly, and the card has its first note.",
      "At the weekend they compare. One thing went better than expected, one took twice as long, and one turned out not to matter. That is a complete result. It decides what Monday looks like, and it took less effort than reading three more guides on “{K}” would have.",
      "Nothing in this example is remarkable, and that is the point of it. The person in it has a job, other plans and no special talent. What they have is a small unit, a fixed day and a written line. Change the details to match your own week and it still holds.",
    ],
  },
  plan: {
    match: /plan|routine|schedule|calendar|month/i,
    paragraphs: [
      "A plan for {S} should fit on one page. Put the aim at the top, the limits underneath, and then the next three actions with a day beside each. Three is not a magic figure; it is simply as many as most people keep in their head while ordinary life goes on around them.",
      "Leave gaps on purpose. A schedule without slack looks tidy until the first interruption, and then everything after it is late at once. Keep one slot in four empty. If nothing goes wrong you are ahead; if something does, nobody has to renegotiate the whole plan.",
      "Review it at a fixed moment rather than when it feels necessary, because the moments that need a review most are the ones in which nobody feels like it. Ten minutes at the end of the week will do: what got done, what did not, and what that tells you about the week ahead.",
    ],
    list: "A page that works has four lines:\n\n- **Aim:** what will be different, in words a neighbour would understand.\n- **Limits:** the hours, the money and the space there really are.\n- **Actions:** three of them, each with a day.\n- **Review:** the date on which you look at this page again.",
  },
  steps: {
    match: /step|start|begin|first|how to|order/i,
    paragraphs: [
      "Take the steps in this order the first time, even if one of them looks unnecessary. Each leaves something the following one needs, and going back for a skipped one costs more than doing it did. From the second round on you will know which of them your situation lets you shorten.",
      "Keep the first round deliberately small: one room, one page, one week, one customer, whatever the smallest honest unit of {S} is for you. A small round finishes. A finished round teaches you something, and that is worth more at this stage than a large one that is still open next month.",
      "Stop after each step long enough to write one line about it. What did you expect, and what happened? These lines look trivial on the day. Three weeks later they are the only reliable account of what you tried, and they settle most arguments about what to do differently.",
    ],
    list: "1. **Write down the starting point.** A photo, a figure or two lines of text are enough.\n2. **Pick one change.** Take the smallest one that would be noticed.\n3. **Give it a fixed time.** Decide on the day it ends before it begins.\n4. **Compare.** Put the result beside the starting point and decide: keep, adjust or undo.",
  },
  basics: {
    match: /what|basic|mean|understand|behind|why/i,
    paragraphs: [
      "Behind {S} stand three plain questions: what you are trying to get, what you already have, and what is in the way. People usually start with the middle one, because it is the easiest to answer. Start with the first. A clear aim makes half of the later choices for you, and it keeps the other half small.",
      "It also helps to separate what changes from what stays. The principles of {S} hold for years; names, prices and products around them come and go. When two sources disagree, look at which of the two kinds they are talking about. Quite often both are right, about different things.",
      "A working definition is enough to begin with. Write down in one sentence what “{K}” means in your case, show it to somebody who is not involved, and ask them what they would expect to see at the end. If their picture matches yours, you understand it well enough to go on.",
    ],
  },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

/** What stands before a post's first heading. */
export const LEAD =
  "You will know after this guide what to do first about “{K}”, and what can wait. It is for everybody who meets {S} beside a full week and would rather take one step that holds than plan ten.";

/** Paragraphs that fit under any heading, to fill a section up to its length. */
export const GENERAL = [
  "It helps to know who else is affected. Hardly anything about {S} stays with one person: somebody shares the room, the budget or the deadline. Tell them what you are trying and for how long. Most objections are really questions, and they are easier to answer before than after.",
  "Keep everything about {S} in one place, however plain that place is. Notes spread over a phone, a drawer and three messages are as good as none, because you look in the wrong one first. One notebook or one document, newest entry at the top, is all the system this needs.",
  "Habits carry what enthusiasm starts. Tie the new thing to something that already happens every day, such as the first coffee or the walk home. The old habit then does the remembering for you, and on busy days, which are the ones that decide, you will do a short version instead of none.",
  "Beware of advice that has no conditions in it. Anything true about {S} is true somewhere, for someone, up to a point. When you read a firm rule, ask where it would stop being right. If the author names that limit, trust the rest a little more; if not, test it small.",
  "Quality shows in the boring parts. Preparation, cleaning up, naming things properly: nobody admires them and everything rests on them. If you have only a little time for {S} this week, spend it there. The visible parts go faster afterwards, and they go right more often.",
  "Ask for help early and precisely. “How do I do this?” invites an opinion; “I tried this, expected that and got something else” invites an answer. People who know {S} well are usually glad to help with the second kind, because it shows them where to begin.",
  "Seasons matter more than they seem to. A method that works in a quiet month may not survive a busy one, so try it in both before you call it settled. Until then treat it as a draft: useful, in force, and open to change without anybody having been wrong.",
  "Make the good choice the easy one. Put what you need for {S} where you will stumble over it, and what distracts you two rooms away. Willpower is a poor tool for something you want to do every week; an arrangement of the furniture lasts longer and asks for nothing.",
  "There will be a moment when it stops being new. Plan for it. Keep one small improvement in reserve, something you look forward to, and bring it in on that day. It is a modest trick, and it has carried many people past the point at which they would have put {S} aside.",
  "Sometimes the right answer is to do less. If a part of {S} has cost effort three times and changed nothing, leave it out of the next round and watch what happens. What nobody misses was not needed. What somebody misses comes back with a reason attached, which is how it should be.",
  "Explain it to somebody once you think you understand it. Where you hesitate, there is a gap; where they frown, there is a word that needs replacing. Ten minutes of this does more for your grasp of “{K}” than another hour of reading, and the other person tends to learn something too.",
  "Finish by tidying. Put things back, close what is open, write the one line about today and the first line for next time. Starting is the hardest part of {S}, and a prepared start is half a start. Your later self will notice, even if nobody else does.",
  "When something works, leave it alone for a while. The urge to improve a fresh success is strong, and it hides what made it work. Let it run unchanged until it has survived one bad week. After that you know what it can take, and any improvement has something solid to be compared with.",
  "Compare yourself with your own last month and with nobody else. Other people have other rooms, other families and other starting points, and they rarely show the first of these. Your earlier self had exactly your circumstances, which makes the comparison fair and, more often than not, encouraging.",
  "Put a limit on reading. Two good sources on {S} and one evening are enough to begin; the third source mostly repeats the first two in another order. What you still do not know after that evening is best found out by doing, because by then you will recognise the answer when you see it.",
  "Think about the day on which you cannot do it. Illness, guests and deadlines come to everyone, so decide now what the smallest acceptable version of {S} looks like. On a bad day you do that version and nothing more. The chain stays whole, and a whole chain is what keeps people going.",
];

/** Sentences that take up the heading's own words at the end of the first paragraph. */
export const BRIDGES = [
  "That is what “{H}” comes down to.",
  "Keep it in mind for everything under “{H}”.",
  "This is the part that “{H}” is about.",
  "Read “{H}” with that in mind.",
  "The details of “{H}” follow from there.",
  "Everything else about “{H}” is practice.",
];
