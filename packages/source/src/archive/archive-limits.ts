import type { TarLimits } from '@fairlead/render/tar';

/** What an archive may grow to. Nothing that is rendered comes near; what does is a mistake or an attack. */
export const defaultArchiveLimits: TarLimits = {
  files: 20_000,
  fileBytes: 20 * 1024 * 1024,
  totalBytes: 100 * 1024 * 1024,
};
