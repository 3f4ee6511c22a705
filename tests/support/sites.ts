import type { SiteOut } from "@/lib/features/sites/schema";

export const GARDEN_BLOG = aSite({ id: "5b1a4f0e-6f1c-4f8e-9d55-0c6f2a3b4c01", name: "Garden blog", isDefault: true });
export const SHOP = aSite({
  id: "5b1a4f0e-6f1c-4f8e-9d55-0c6f2a3b4c02",
  name: "Shop",
  url: "https://shop.example.com",
});

/** A connected site in an API response. */
export function aSite(parts: Partial<SiteOut> = {}): SiteOut {
  return {
    id: "5b1a4f0e-6f1c-4f8e-9d55-0c6f2a3b4c00",
    name: "blog.example.com",
    url: "https://blog.example.com",
    username: "editor",
    hasPassword: true,
    version: null,
    role: null,
    isDefault: false,
    projects: 0,
    lastContactAt: null,
    ...parts,
  };
}
