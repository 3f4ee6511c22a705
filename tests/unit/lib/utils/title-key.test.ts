import { keysOf, preferNew, unseen } from "@/lib/utils/title-key";

/** How a title compares with one that is there already. */
function likeness(title: string, taken: string): "new" | "near" | "same" {
  const [found] = unseen([title], (each) => each, new Set(keysOf(taken)));
  if (!found) return "same";
  return found.isNear ? "near" : "new";
}

it.each([
  ["how to prune: APPLE trees", "How to prune   apple trees!"],
  ["Ｃ＋＋ for beginners", "C++ for beginners"],
  ["कपड़े के दाग", "कपड़े के दाग।"],
  ["مُحَمَّد في مكّة", "محمد في مكة"],
  ["العـــربية", "العربية"],
  ["שָׁלוֹם עוֹלָם", "שלום עולם"],
  ["می\u200cخواهم", "میخواهم"],
  ["İSTANBUL gezi rehberi", "istanbul gezi rehberi"],
  ["ÄPFEL schneiden", "äpfel schneiden"],
  ["葛\uDB40\uDD00飾区の花", "葛飾区の花"],
  ["\u3050\u3063\u3059\u308A", "\u304F\u3099\u3063\u3059\u308A"],
  ["ベランダ菜園：はじめ方", "ベランダ菜園 はじめ方"],
  ["창가에서 바질 키우기!", "창가에서 바질 키우기"],
])("takes %j for the same as %j", (title, taken) => {
  expect(likeness(title, taken)).toBe("same");
});

it.each([
  ["पानी", "पान"],
  ["काम", "कम"],
  ["น้ำ", "นา"],
  ["ไม้", "ไม่"],
  ["ကျား", "ကျ"],
  ["C for beginners", "C++ for beginners"],
  ["C# for beginners", "C++ for beginners"],
  [".NET for beginners", "NET for beginners"],
  ["Für Bär", "Fur Bar"],
  ["kara", "karā"],
  ["sınır", "sinir"],
  ["prune apple trees", "prune pear trees"],
  ["How to prune trees", "When to prune trees"],
  ["Coffee with milk", "Coffee without milk"],
  ["阳台种菜的方法", "阳台种花的方法"],
])("does not take %j for %j", (title, taken) => {
  expect(likeness(title, taken)).toBe("new");
});

it.each([
  ["Trees: how to prune", "How to prune trees"],
  ["Prune the apple trees", "Prune apple trees"],
  ["Prune apple trees", "Prune the apple trees"],
  ["Seeds in pots", "Seeds for pots"],
  ["Äpfel für die Torte schneiden", "Äpfel für Torte schneiden"],
  ["بستان في البيت", "بستان البيت"],
  ["घर में तुलसी", "घर पर तुलसी"],
  ["바질 창가에서 키우기", "창가에서 바질 키우기"],
])("takes %j for near to %j, by its order or one function word", (title, taken) => {
  expect(likeness(title, taken)).toBe("near");
});

it("does not call a title near that differs by two function words", () => {
  expect(likeness("The seeds in the pots", "Seeds pots")).toBe("new");
});

it("compares texts with each other too, and puts the near ones last", () => {
  const found = unseen(["Prune trees", "?!", "Trees: prune!", "prune TREES", "Water trees"], (each) => each, new Set());
  expect(found.map(({ item, isNear }) => [item, isNear])).toEqual([
    ["Prune trees", false],
    ["Trees: prune!", true],
    ["Water trees", false],
  ]);
  expect(preferNew(found, 3).map(({ item }) => item)).toEqual(["Prune trees", "Water trees", "Trees: prune!"]);
});

it("gives a title without letters and digits no key", () => {
  expect(keysOf(" ?! + # ")).toEqual([]);
});

it("gives short keys, however long the title, and few", () => {
  expect(keysOf("漢字 ".repeat(100)).every((key) => key.length < 20)).toBe(true);
  expect(keysOf("a an the and or of for in on at to with from by").length).toBe(10);
});
