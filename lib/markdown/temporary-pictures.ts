/**
 * Will a picture's address stop working soon? Applications show the pictures of their documents and chats at addresses that are
 * signed for minutes or days.
 */
export function willNotLast(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname, searchParams } = new URL(address);
  const names = new Set([...searchParams.keys()].map((name) => name.toLowerCase()));
  return (
    (GOOGLE_DOCS.test(hostname) && pathname.startsWith("/docs")) ||
    OPENAI.test(hostname) ||
    (DISCORD.test(hostname) && names.has("ex")) ||
    (hostname === "private-user-images.githubusercontent.com" && names.has("jwt")) ||
    SIGNATURES.some((signature) => signature.every((name) => names.has(name)))
  );
}

const GOOGLE_DOCS = /^lh\d[\w-]*\.googleusercontent\.com$/;
const OPENAI = /(?:^|\.)oaiusercontent\.com$/;
const DISCORD = /^(?:cdn|media)\.discordapp\.(?:com|net)$/;

/** The parameters of signed addresses: Amazon, Google Cloud, CloudFront, Azure and Notion. */
const SIGNATURES = [
  ["x-amz-expires"],
  ["x-amz-signature"],
  ["x-goog-signature"],
  ["expires", "signature"],
  ["se", "sig"],
  ["expirationtimestamp", "signature"],
];
