import type { PieceInput } from "@/lib/ai/prompts/shared";

export const project = { title: "Balcony Kitchen", description: "Growing food in small flats, for people who cook." };

export const topic = {
  name: "Indoor herb gardens",
  description: "How to grow indoor herbs in a city flat through the winter.",
  category: "Growing",
};

export const persona = {
  name: "Anna Keller",
  age: 34,
  description: "Nurse on shifts who wants fresh herbs without a garden.",
  interests: ["Cooking with fresh basil", "Quick recipes"],
  challenges: ["Plants always die in her kitchen", "Little light in the flat"],
};

export const piece: PieceInput = {
  project,
  topic,
  persona,
  title: "Grow basil indoors: a small start that lasts",
  focusKeyword: "grow basil indoors",
  intent: "informational",
  angle: "For people whose basil from the shop dies within a week.",
  neighbourTitles: ["Which herbs share a pot without a fight", "Light for herbs: windows and lamps compared"],
};
