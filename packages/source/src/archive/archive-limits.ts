import { limits } from '@fairlead/kube/limits';
import type { TarLimits } from '@fairlead/render/tar';

/** What an archive may grow to. Nothing that is rendered comes near; what does is a mistake or an attack. */
export interface ArchiveLimits extends TarLimits {
  /** Folders inside each other. */
  readonly depth: number;
  /** The size after decompression, as a multiple of the size before. */
  readonly ratio: number;
}

export const defaultArchiveLimits: ArchiveLimits = {
  files: limits.archiveFiles,
  fileBytes: limits.archiveFileBytes,
  totalBytes: limits.archiveBytes,
  depth: limits.archiveDepth,
  ratio: limits.archiveRatio,
};

/** An archive that is smaller than this after decompression may have any ratio. */
export const anyRatioBytes = 10 * 1024 * 1024;
