import type { Benchmark } from "@/tests/bench/benchmark";

export const library: Benchmark = {
  name: "library",
  about: "the Content Library at 10 and at 10,000 pieces: paint, interaction, layout shift, DOM nodes, first payload",
  run: async () => undefined,
};
