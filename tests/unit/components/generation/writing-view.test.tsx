/** @jest-environment jsdom */
import { render } from "@testing-library/react";
import { WritingView } from "@/components/generation/writing-view";

const shown = (index: number, ...sections: { heading: string; text: string }[]) => {
  const { container } = render(
    <WritingView writing={{ index, count: 3, heading: "Alpha", sections, isThinking: false }} />,
  );
  return container.textContent?.replace(/\s+/g, " ").trim();
};

it("shows the lead before the first heading while the first section is written", () => {
  const alpha = { heading: "Alpha", text: "A lead.\n\n---\n\nSoil first." };
  expect(shown(0, alpha)).toMatch(/A lead\..*Alpha.*Soil first\./);
  expect(shown(1, alpha, { heading: "Beta", text: "Light." })).toMatch(/A lead\..*Alpha.*Soil first\..*Beta.*Light\./);
});

it("shows the text of a later section below its heading", () => {
  expect(shown(1, { heading: "Beta", text: "Light.\n\n---\n\nMore." })).toMatch(/^Beta.*Light\..*More\./);
});
