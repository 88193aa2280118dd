import type { Calls } from '../rpc/call.ts';

export interface VersionInfo {
  readonly version: string;
  /** Whether callers that are not signed in see details too. */
  isOpen(): boolean;
}

/** Details are for callers that are signed in. */
export const versionCalls = (info: VersionInfo): Calls => ({
  'Version.Version': ({ claims }) => {
    if (!claims && !info.isOpen()) return { Version: info.version };
    return {
      Version: info.version,
      BuildDate: '1970-01-01T00:00:00Z',
      GoVersion: `node${process.versions.node}`,
      Compiler: 'node',
      Platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
      KustomizeVersion: 'v5.8.1',
      HelmVersion: 'v3.19',
      JsonnetVersion: 'v0.22.0',
    };
  },
});
