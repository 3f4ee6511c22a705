export { default, metadata } from "@/app/(app)/projects/[id]/not-found";
