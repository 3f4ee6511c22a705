import { FROST_CLOTH, NO_DIG, TOMATOES } from "@/scripts/demo/texts";

/** What the demo's project is filled with. The first topic is there already, see prisma/seed.ts. */
export type DemoTopic = {
  key: string;
  name: string;
  description: string;
  category: string;
  keywords: string[];
  /** How many of the AI's suggestions are added to the keywords. */
  suggestions: number;
  pieces: DemoPiece[];
  /** Titles by the AI for each keyword; they come last and stay titles. */
  ideasPerKeyword?: number;
  /** What the queue makes of the topic. */
  queue: "nothing" | "outlines" | "texts";
};

export type DemoPiece = {
  title: string;
  /** The user's own text, in place of the AI's. */
  text?: string;
  status?: "review";
  publish?: true;
  /** Once it is live, it is taken off the site again. */
  unpublish?: true;
  /** Once it is live, the user adds this, which the site does not have yet. */
  addition?: string;
};

/** Titles with this word are refused by the demo's sample site. */
export const REFUSED_WORD = "giveaway";

export const TOPICS: DemoTopic[] = [
  {
    key: "seeds",
    name: "Seed starting indoors",
    description: "From packet to potting up: mixes, light, warmth and the mistakes that cost a tray.",
    category: "Growing from seed",
    keywords: [
      "seed starting mix",
      "when to start tomatoes indoors",
      "damping off prevention",
      "bottom watering",
      "leggy seedlings",
    ],
    suggestions: 2,
    queue: "texts",
    pieces: [
      { title: "Bottom watering, explained", publish: true },
      { title: "Damping off: why seedlings collapse overnight", status: "review" },
      {
        title: "A peat-free seed starting mix from three bags",
        publish: true,
        addition: "**Update:** the coir we used is sold in smaller bricks this year; two of them replace one bag.",
      },
      { title: "When to start tomatoes indoors: count back from your last frost", text: TOMATOES, publish: true },
    ],
  },
  {
    key: "beds",
    name: "Raised beds",
    description: "What to fill a bed with, what it costs, and what is left of it after two winters.",
    category: "Beds and soil",
    keywords: ["raised bed soil mix", "no-dig on clay", "larch or cedar for raised beds"],
    suggestions: 2,
    queue: "texts",
    pieces: [
      { title: "No-dig on heavy clay: the first three springs", text: NO_DIG, publish: true, unpublish: true },
      { title: `Win a raised bed: our spring ${REFUSED_WORD}`, publish: true },
      { title: "Cedar, larch or steel: what lasts ten years outdoors", publish: true },
    ],
  },
  {
    key: "frost",
    name: "Late frost",
    description: "Dates, cloths and the nights in between: the weeks in which a garden is lost or kept.",
    category: "Weather",
    keywords: ["average last frost date", "frost cloth", "hardening off seedlings"],
    suggestions: 0,
    queue: "outlines",
    pieces: [
      { title: "Hardening off in eight days, with a job" },
      { title: "The evening before a frost: a checklist to pin by the door" },
      { title: "Frost cloth weights compared: 17, 30 and 60 grams", text: FROST_CLOTH },
    ],
  },
  {
    key: "pests",
    name: "Slugs and other guests",
    description: "Who eats what in May, and what helps that is not a poison.",
    category: "Pests",
    keywords: ["slug-resistant vegetables", "aphids on seedlings"],
    suggestions: 0,
    queue: "nothing",
    ideasPerKeyword: 2,
    pieces: [],
  },
];
