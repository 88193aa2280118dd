import { fn } from '../go-template/function.ts';
import { named, pointerTo, stringSlice, structType } from '../go-template/go-type.ts';
import { GoObject, GoSlice } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';

const capabilitiesType = pointerTo(structType('common.Capabilities'));
const kubeVersionType = structType('common.KubeVersion');
const versionSetType = named('common.VersionSet', stringSlice);
const buildInfoType = structType('version.BuildInfo');

export interface Capabilities {
  /** `v1.36.0`, `1.33.4-gke.1`. */
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
  readonly helmVersion: string;
  /** Whether `.KubeVersion.Version` includes a provider's suffix, which Helm 3 removes. */
  readonly keepsKubeSuffix?: boolean;
}

/** The version for constraints: without a provider's suffix. */
export function normalizedKubeVersion(version: string): string {
  const match = /^\s*v?(\d+(?:\.\d+)+)/.exec(version);
  if (!match) throw new RenderError('InvalidOption', `invalid Kubernetes version ${JSON.stringify(version)}`);
  return `v${match[1]!.split('.').map(Number).join('.')}`;
}

/** `.Capabilities`. */
export function capabilitiesObject(capabilities: Capabilities): GoObject {
  const { kubeVersion, apiVersions, helmVersion, keepsKubeSuffix = true } = capabilities;
  const normalized = normalizedKubeVersion(kubeVersion);
  const full = kubeVersion.startsWith('v') ? kubeVersion : `v${kubeVersion}`;
  const version = keepsKubeSuffix ? full : normalized;
  const [major = '', minor = ''] = normalized.slice(1).split('.');
  const kube = new GoObject(kubeVersionType, {
    text: () => normalized,
    fields: [
      ['Version', version],
      ['Major', major],
      ['Minor', minor],
    ],
    methods: { String: fn('', () => normalized), GitVersion: fn('', () => version) },
  });
  const known = new Set(apiVersions);
  return new GoObject(capabilitiesType, {
    fields: [
      ['KubeVersion', kube],
      [
        'APIVersions',
        new GoSlice([...apiVersions], versionSetType, {
          methods: { Has: fn('string', (name: string) => known.has(name)) },
        }),
      ],
      ['HelmVersion', helmVersionObject(helmVersion)],
    ],
  });
}

const helmVersionObject = (version: string): GoObject =>
  new GoObject(buildInfoType, {
    fields: [
      ['Version', version],
      ['GitCommit', ''],
      ['GitTreeState', 'clean'],
      ['GoVersion', 'go1.26.6'],
    ],
  });
