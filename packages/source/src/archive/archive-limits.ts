import { limits } from '@fairlead/kube/limits';
import type { TarLimits } from '@fairlead/render/tar';

/** The limits of an unpacked archive. Real sources are far below; anything larger is a mistake or an attack. */
export interface ArchiveLimits extends TarLimits {
  /** The depth of nested directories. */
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
