import { BROWSER } from "@/scripts/mutants/equivalent/browser";
import type { Equivalent } from "@/scripts/mutants/equivalent/equivalent";
import { FEATURES } from "@/scripts/mutants/equivalent/features";
import { PLATFORM } from "@/scripts/mutants/equivalent/platform";
import { PUBLISHING } from "@/scripts/mutants/equivalent/publishing";

/** The mutants that no test can kill. */
export const EQUIVALENT: Equivalent[] = [...BROWSER, ...FEATURES, ...PUBLISHING, ...PLATFORM];
