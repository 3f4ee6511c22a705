import { handleNextAuth } from "@/lib/features/account/google/writes/oauth";

export { handleNextAuth as GET, handleNextAuth as POST };
