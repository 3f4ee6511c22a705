/** A service whose addresses WordPress turns into players and cards. */
export type EmbedProvider = {
  name: string;
  /** As WordPress' block editor writes it. */
  slug: string;
  type: "video" | "rich" | "photo";
  /** Whether its players are all 16 by 9. */
  isWide?: boolean;
  address: RegExp;
};

/** After WordPress' table of providers (class-wp-oembed.php), for the services that posts show most. */
const PROVIDERS: readonly EmbedProvider[] = [
  {
    ...{ name: "YouTube", slug: "youtube", type: "video", isWide: true },
    address: /^(?:(?:(?:m|www)\.)?youtube\.com\/(?:watch\?|playlist\?|shorts\/)|youtu\.be\/[\w-])/,
  },
  { name: "Vimeo", slug: "vimeo", type: "video", isWide: true, address: /^(?:[\w-]+\.)?vimeo\.com\/(?:[\w-]+\/)*\d/ },
  {
    ...{ name: "Dailymotion", slug: "dailymotion", type: "video", isWide: true },
    address: /^(?:(?:www\.)?dailymotion\.com\/(?:video|playlist)\/|dai\.ly\/\w)/,
  },
  { name: "TED", slug: "ted", type: "video", isWide: true, address: /^(?:www\.|embed\.)?ted\.com\/talks\/./ },
  { name: "WordPress.tv", slug: "wordpress-tv", type: "video", isWide: true, address: /^wordpress\.tv\/\d{4}\/./ },
  { name: "TikTok", slug: "tiktok", type: "video", address: /^(?:www\.)?tiktok\.com\/.+\/video\/\d/ },
  { name: "SoundCloud", slug: "soundcloud", type: "rich", address: /^(?:www\.)?soundcloud\.com\/[^/]+\/./ },
  { name: "Spotify", slug: "spotify", type: "rich", address: /^(?:open|play)\.spotify\.com\/.+\/\w/ },
  { name: "Mixcloud", slug: "mixcloud", type: "rich", address: /^(?:www\.)?mixcloud\.com\/[^/]+\/./ },
  {
    name: "X",
    slug: "twitter",
    type: "rich",
    address: /^(?:(?:www|mobile)\.)?(?:twitter|x)\.com\/\w{1,15}\/status(?:es)?\/\d/,
  },
  { name: "Reddit", slug: "reddit", type: "rich", address: /^(?:www\.)?reddit\.com\/r\/[^/]+\/comments\/\w/ },
  { name: "Tumblr", slug: "tumblr", type: "rich", address: /^[\w-]+\.tumblr\.com\/post\/\d/ },
  { name: "Speaker Deck", slug: "speaker-deck", type: "rich", address: /^(?:www\.)?speakerdeck\.com\/[^/]+\/./ },
  {
    ...{ name: "Kickstarter", slug: "kickstarter", type: "rich" },
    address: /^(?:(?:www\.)?kickstarter\.com\/projects\/.|kck\.st\/\w)/,
  },
  {
    name: "Flickr",
    slug: "flickr",
    type: "photo",
    address: /^(?:(?:www\.)?flickr\.com\/photos\/.+\/.|flic\.kr\/p\/.)/,
  },
];

/** Undefined for an address that stays a link. */
export function embedProviderOf(url: string): EmbedProvider | undefined {
  const address = /^https?:\/\/([^\s]{1,2000})$/i.exec(url)?.[1];
  return address === undefined ? undefined : PROVIDERS.find((provider) => provider.address.test(lowerHost(address)));
}

function lowerHost(address: string): string {
  return address.replace(/^[^/]+/, (host) => host.toLowerCase());
}
