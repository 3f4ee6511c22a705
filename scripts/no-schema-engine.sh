#!/bin/sh
# `prisma generate` downloads an engine it does not use unless this variable names a file: PRISMA_SCHEMA_ENGINE_BINARY.
# Should anything run it after all, it must fail rather than seem to succeed.
exit 1
