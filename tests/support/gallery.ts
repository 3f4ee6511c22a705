/** The screens of docs/screens, in the order a user meets them, with captions. */
export const GALLERY: Record<string, string> = {
  auth: "Signing in",
  "auth-register": "Registering",
  "auth-forgot": "Asking for a link to set a new password",
  "auth-reset": "Choosing a new password",
  "home-empty": "Home, before the first project",
  home: "Home",
  project: "A project with its topics, keywords, content and persona",
  "project-suggestions": "Suggested keywords",
  "project-ideas": "Content ideas",
  "project-pieces": "All pieces of a project",
  assistant: "The planning assistant",
  content: "Content Library",
  editor: "Editor",
  "editor-preview": "Editor: preview",
  "editor-outline": "Editor: outline",
  "editor-seo": "Editor: SEO Assistant",
  "editor-source": "Editor: a claim that needs a source",
  "editor-not-ready": "Editor: before something unfinished goes live",
  "editor-proposals": "Editor: what the AI proposes for search engines",
  "editor-title-only": "Editor: a title alone",
  "wordpress-publishing": "Choosing a project to publish",
  "wp-publishing": "Publishing a project",
  "wp-publishing-all": "Publishing, all content",
  "queue-monitor": "Queue Monitor",
  settings: "Settings",
  "settings-sites": "Settings: sites",
  "settings-account": "Settings: sign-in details and password",
  "settings-sessions": "Settings: ways to sign in, open sessions, activity",
  "settings-google": "Settings: connecting Google",
  "settings-delete-account": "Settings: deleting the account",
  "not-found": "A page that is not there",
};

/** Each screen on a wide window in both themes, and on a phone. */
export const GALLERY_VIEWS = ["1440-light", "1440-dark", "360-light"];

export const GALLERY_FOLDER = "docs/screens";
