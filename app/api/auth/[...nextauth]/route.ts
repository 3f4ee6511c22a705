import { serveNextAuth } from "@/lib/features/account/writes/google-flow";

export { serveNextAuth as GET, serveNextAuth as POST };
