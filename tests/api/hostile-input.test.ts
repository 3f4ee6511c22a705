import { hostileInputs } from "@/tests/support/hostile-input";

// Other inputs in each run; the seed is printed, so that a failure can be repeated.
hostileInputs({ count: 40, seed: Math.floor(Math.random() * 2 ** 31) });
