import { RenderError } from '../render-error.ts';
import { apiVersions135, apiVersions136 } from './default-api-versions.ts';

/** The differences between versions of Helm. */
export interface HelmProfile {
  readonly version: string;
  /** Documents end at a separate `---` line and keep trailing blank lines. Before 4.2 they were trimmed on both sides. */
  readonly keepsBlankLines: boolean;
  /** Nulls in a chart's own defaults are removed when values are coalesced. */
  readonly dropsDefaultNulls: boolean;
  /** A user's null for a key that the chart does not set is kept (since 4.1). */
  readonly keepsUnknownNulls: boolean;
  /** `.Capabilities.KubeVersion.Version` includes a provider's suffix. */
  readonly keepsKubeSuffix: boolean;
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
}

const v42 = { keepsBlankLines: true, dropsDefaultNulls: true, keepsUnknownNulls: true, keepsKubeSuffix: true };
const v41 = { keepsBlankLines: false, dropsDefaultNulls: false, keepsUnknownNulls: true, keepsKubeSuffix: true };
const v3 = { keepsBlankLines: false, dropsDefaultNulls: false, keepsUnknownNulls: false, keepsKubeSuffix: false };

/** The profile of a version such as `4.2.4`, `v3.19.0`, `4.1` or `v3`. The default is the newest. */
export function helmProfile(version = '4.2.4'): HelmProfile {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version);
  if (!match)
    throw new RenderError('InvalidOption', `${version} is not a Helm version. Use a version such as 4.2 or 3.19.`);
  const major = Number(match[1]);
  const minor = match[2] === undefined ? (major === 3 ? 19 : 2) : Number(match[2]);
  const full = `v${major}.${minor}.${match[3] ?? '4'}`;
  if (major >= 4 && (major > 4 || minor >= 2))
    return { version: full, ...v42, kubeVersion: 'v1.36.0', apiVersions: apiVersions136 };
  if (major === 4) return { version: full, ...v41, kubeVersion: 'v1.35.0', apiVersions: apiVersions135 };
  if (major === 3) return { version: full, ...v3, kubeVersion: 'v1.34.0', apiVersions: apiVersions135 };
  throw new RenderError('InvalidOption', `Helm ${version} is not supported. Use 3.x or 4.x.`);
}
