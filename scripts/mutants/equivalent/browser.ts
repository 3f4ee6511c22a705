import type { Equivalent } from "@/scripts/mutants/equivalent/equivalent";

export const BROWSER: Equivalent[] = [
  {
    file: "components/content/content-editor.tsx",
    from: "refetchInterval: ({ state }) => (state.data?.isBeingWritten ? LOOK_AGAIN_MS : false),",
    to: "refetchInterval: ({ state }) => (state.data?.isBeingWritten ? LOOK_AGAIN_MS : true),",
    reason: "An interval that is no number is none.",
  },
  {
    file: "components/content/library-groups.tsx",
    from: "keyOf: useCallback((index: number) => items[index]?.key ?? String(index), [items]),",
    to: "keyOf: useCallback((index: number) => (items[index]?.key), [items]),",
    reason: "Every line that is asked for exists; the fallback is for the compiler.",
  },
  {
    file: "components/content/library-groups.tsx",
    from: 'estimate: useCallback((index: number) => HEIGHTS[items[index]?.kind ?? "row"], [items]),',
    to: "estimate: useCallback((index: number) => HEIGHTS[(items[index]?.kind)], [items]),",
    reason: "Every line that is asked for exists; the fallback is for the compiler.",
  },
  {
    file: "components/content/library-rows.tsx",
    from: "const changes = useRef(0);",
    to: "const changes = useRef(1);",
    reason: "The number only has to be another after a change.",
  },
  {
    file: "components/content/library-rows.tsx",
    from: "changes.current += 1;",
    to: "changes.current += 2;",
    reason: "The number only has to be another after a change.",
  },
  {
    file: "components/content/library-rows.tsx",
    from: "() => 0,",
    to: "() => 1,",
    reason: "The number only has to be another after a change.",
  },
  {
    file: "components/content/preview-panel.tsx",
    from: "ssr: false,",
    to: "ssr: true,",
    reason: "The tab is never open on the server.",
  },
  {
    file: "components/content/revision-dialog.tsx",
    from: "{[1, 2, 3].map((place) => (",
    to: "{[0, 2, 3].map((place) => (",
    reason: "The numbers are keys of placeholders, which only have to differ.",
  },
  {
    file: "components/content/revision-dialog.tsx",
    from: "{[1, 2, 3].map((place) => (",
    to: "{[1, 2, 4].map((place) => (",
    reason: "The numbers are keys of placeholders, which only have to differ.",
  },
  {
    file: "components/content/text-direction.ts",
    from: 'return RIGHT_TO_LEFT.test(/\\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";',
    to: 'return RIGHT_TO_LEFT.test((/\\p{L}/u.exec(text)?.[0])) ? "rtl" : "ltr";',
    reason: '"undefined" is no word of a right-to-left script either.',
  },
  {
    file: "components/content/topic-content.tsx",
    from: "keyOf: useCallback((index: number) => pieces[index]?.id ?? String(index), [pieces]),",
    to: "keyOf: useCallback((index: number) => (pieces[index]?.id), [pieces]),",
    reason: "Every line that is asked for exists; the fallback is for the compiler.",
  },
  {
    file: "components/content/use-library-address.ts",
    from: "const [turn, setTurn] = useState(0);",
    to: "const [turn, setTurn] = useState(1);",
    reason: "A turn only has to differ from the one before.",
  },
  {
    file: "components/content/use-library-address.ts",
    from: "if (place < 0) setTurn(turn + 1);",
    to: "if (place < 0) setTurn(turn + 2);",
    reason: "A turn only has to differ from the one before.",
  },
  {
    file: "components/content/use-library-address.ts",
    from: "setTurn((n) => n + 1);",
    to: "setTurn((n) => n + 2);",
    reason: "A turn only has to differ from the one before.",
  },
  {
    file: "components/content/use-library-address.ts",
    from: "setAwaited(place < 0 ? [] : awaited.slice(place + 1));",
    to: "setAwaited(place < 0 ? [] : awaited.slice(place + 0));",
    reason: "What stays is the address that is drawn: it is not met again before another is, which drops it.",
  },
  {
    file: "lib/client/download.ts",
    from: 'const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "download.zip";',
    to: 'const name = /filename="([^"]+)"/.exec((response.headers.get("content-disposition")))?.[1] ?? "download.zip";',
    reason: '"null" names no file either.',
  },
  {
    file: "lib/client/query-client.ts",
    from: "refetchInterval: false,",
    to: "refetchInterval: true,",
    reason: "An interval that is no number is none.",
  },
];
