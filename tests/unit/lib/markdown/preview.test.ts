import { previewOf } from "@/lib/markdown/preview";
import { renderMarkdown } from "@/lib/markdown/render";

const TEXT = "# Sowing\n\nOne <!-- note --> two, ![Chart](chart.png) and [three](#nowhere).";

it("a preview comes with what readers will not get of the text, whatever title it stands under", () => {
  const losses = renderMarkdown(TEXT).losses;
  expect(losses.map(({ kind }) => kind)).toEqual(["comment", "localPicture", "target"]);
  for (const title of [undefined, "Sowing", "Other"]) {
    expect(previewOf({ text: TEXT, title })).toMatchObject({ parts: [expect.any(String)], losses });
  }
});
