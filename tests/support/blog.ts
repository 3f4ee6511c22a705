import { noFaults } from "@/scripts/samples/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";

/**
 * Starts a sample site the app may connect to. Call it before the first route is loaded: the allow-list is read once.
 */
export async function startBlog(): Promise<SampleWordPress> {
  const site = await startSampleWordPress();
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
  return site;
}

/** A sample site for a suite, of which each test begins without faults. */
export function suiteBlog(): SampleWordPress {
  const site = {} as SampleWordPress;
  beforeAll(async () => {
    Object.assign(site, await startBlog());
  });
  afterEach(() => {
    Object.assign(site.faults, noFaults());
  });
  afterAll(() => site.close());
  return site;
}
