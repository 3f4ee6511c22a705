import { hostileInputs } from "@/tests/support/hostile-input";

hostileInputs({ count: 500, seed: 20_261_121 });
