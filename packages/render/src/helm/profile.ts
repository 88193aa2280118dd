import { RenderError } from '../render-error.ts';
import { apiVersions135, apiVersions136 } from './default-api-versions.ts';

/** Where versions of Helm render one chart differently. */
export interface HelmProfile {
  readonly version: string;
  /** Documents end at `---` on a line of its own and keep their last blank lines; before 4.2 they were trimmed on both sides. */
  readonly keepsBlankLines: boolean;
  /** Nulls in a chart's own defaults are dropped when values are put together. */
  readonly dropsDefaultNulls: boolean;
  /** A null that the user gives for a key which the chart does not set stays (from 4.1 on). */
  readonly keepsUnknownNulls: boolean;
  /** `.Capabilities.KubeVersion.Version` keeps what a provider adds to it. */
  readonly keepsKubeSuffix: boolean;
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
}

const v42 = { keepsBlankLines: true, dropsDefaultNulls: true, keepsUnknownNulls: true, keepsKubeSuffix: true };
const v41 = { keepsBlankLines: false, dropsDefaultNulls: false, keepsUnknownNulls: true, keepsKubeSuffix: true };
const v3 = { keepsBlankLines: false, dropsDefaultNulls: false, keepsUnknownNulls: false, keepsKubeSuffix: false };

/** The profile of a version: `4.2.4`, `v3.19.0`, `4.1`, `v3`. The newest unless told. */
export function helmProfile(version = '4.2.4'): HelmProfile {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version);
  if (!match) throw new RenderError('InvalidOption', `${version} is no version of Helm: give one like 4.2 or 3.19`);
  const major = Number(match[1]);
  const minor = match[2] === undefined ? (major === 3 ? 19 : 2) : Number(match[2]);
  const full = `v${major}.${minor}.${match[3] ?? '4'}`;
  if (major >= 4 && (major > 4 || minor >= 2))
    return { version: full, ...v42, kubeVersion: 'v1.36.0', apiVersions: apiVersions136 };
  if (major === 4) return { version: full, ...v41, kubeVersion: 'v1.35.0', apiVersions: apiVersions135 };
  if (major === 3) return { version: full, ...v3, kubeVersion: 'v1.34.0', apiVersions: apiVersions135 };
  throw new RenderError('InvalidOption', `Helm ${version} is not supported: 3.x and 4.x are`);
}
