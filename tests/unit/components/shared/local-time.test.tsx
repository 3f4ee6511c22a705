import { renderToStaticMarkup } from "react-dom/server";
import { LocalTime } from "@/components/shared/local-time";

it("renders no text on the server, which does not know the user's time zone", () => {
  const html = renderToStaticMarkup(<LocalTime before="Saved " at="2026-11-09T10:00:00.000Z" style="recent" />);
  expect(html).toBe('<span><time dateTime="2026-11-09T10:00:00.000Z"></time></span>');
});
