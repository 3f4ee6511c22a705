/** @jest-environment jsdom */
import { applyTheme, currentTheme, isTheme } from "@/lib/client/theme";

it.each(["dark", "light", "system"] as const)("applies the theme %s in place of another", (theme) => {
  document.documentElement.className = "antialiased dark";
  const written = jest.spyOn(document, "cookie", "set");
  applyTheme("light");
  applyTheme(theme);
  expect(currentTheme()).toBe(theme);
  expect([...document.documentElement.classList]).toEqual(["antialiased", ...(theme === "system" ? [] : [theme])]);
  expect(written).toHaveBeenLastCalledWith(`theme=${theme}; path=/; max-age=31536000; samesite=lax`);
});

it("recognises the three themes and nothing else", () => {
  expect(["system", "light", "dark", "Dark", "", undefined].map(isTheme)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
