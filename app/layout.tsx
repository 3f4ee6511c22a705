import "@/app/globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { NavigationLine } from "@/components/shared/navigation-line";
import { PressGuard } from "@/components/shared/press-guard";
import { Toaster } from "@/components/shared/toaster";
import { TooltipProvider } from "@/components/ui/tooltip";
import { Providers } from "@/lib/client/providers";
import { isTheme, THEME_COOKIE } from "@/lib/client/theme";
import { cn } from "@/lib/utils/cn";

const sans = localFont({
  src: "../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  weight: "100 900",
  variable: "--font-geist",
});

/** The font is not preloaded: until it has loaded, headings use a fallback of the same widths. */
const serif = localFont({
  src: [
    {
      path: "../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-normal.woff2",
      weight: "200 900",
      style: "normal",
    },
    {
      path: "../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-italic.woff2",
      weight: "200 900",
      style: "italic",
    },
  ],
  variable: "--font-source-serif",
  preload: false,
  adjustFontFallback: "Times New Roman",
});

/** Letters beyond Latin 1, loaded only when a text has one. */
const serifExtension = localFont({
  src: [
    {
      path: "../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-opsz-normal.woff2",
      weight: "200 900",
      style: "normal",
    },
    {
      path: "../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-opsz-italic.woff2",
      weight: "200 900",
      style: "italic",
    },
  ],
  variable: "--font-source-serif-ext",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB, U+20AD-20C4, U+2C60-2C7F, U+A720-A7FF",
    },
  ],
});

export const metadata: Metadata = {
  title: { default: "Content Planner", template: "%s – Content Planner" },
  description: "Plan, write and publish content that connects with your audience.",
  applicationName: "Content Planner",
  icons: { icon: "/icon.svg" },
  manifest: "/manifest.webmanifest",
  robots: { index: false },
};

export const viewport: Viewport = {
  // Needed for env(safe-area-inset-*) in globals.css.
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbf9f5" },
    { media: "(prefers-color-scheme: dark)", color: "#10141a" },
  ],
};

/** Reads the theme from its cookie, so that the first paint is right without scripts; this makes every page dynamic. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const themeCookie = (await cookies()).get(THEME_COOKIE)?.value;
  const theme = isTheme(themeCookie) ? themeCookie : "system";
  return (
    <html lang="en" className={cn(sans.variable, serif.variable, serifExtension.variable, theme !== "system" && theme)}>
      <body>
        <PressGuard />
        <NavigationLine />
        <Providers>
          <TooltipProvider delayDuration={400}>{children}</TooltipProvider>
        </Providers>
        <Toaster />
      </body>
    </html>
  );
}
