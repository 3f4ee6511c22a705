import { renderToStaticMarkup } from "react-dom/server";
import { LocalTime } from "@/components/shared/local-time";

it("says nothing of the person's clock on the server, which does not know it, and keeps the line's height", () => {
  const html = renderToStaticMarkup(<LocalTime before="Saved " at="2026-11-09T10:00:00.000Z" style="recent" />);
  expect(html).toBe('<span>\u00a0<time dateTime="2026-11-09T10:00:00.000Z"></time></span>');
});
