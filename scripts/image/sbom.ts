import type { DebianPackage } from './debian-packages.ts';
import type { NpmPackage } from './npm-packages.ts';

export interface Contents {
  readonly version: string;
  readonly node: string;
  readonly architecture: string;
  readonly debian: readonly DebianPackage[];
  readonly npm: readonly NpmPackage[];
}

/** `%40` as the specification of package URLs requires for scopes. */
export const npmPurl = ({ name, version }: Pick<NpmPackage, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

export const debianPurl = ({ name, version }: DebianPackage, architecture: string): string =>
  `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;

const spdxId = (text: string): string => `SPDXRef-${text.replaceAll(/[^A-Za-z0-9.-]/gu, '-')}`;

/** The contents of the image as an SPDX 2.3 document. It has the time of the commit, so that two builds are equal. */
export function sbomOf(contents: Contents, digest: string, created: string): object {
  const { version, node, architecture, debian, npm } = contents;
  const image = {
    SPDXID: 'SPDXRef-image',
    name: 'fairlead',
    versionInfo: version,
    primaryPackagePurpose: 'CONTAINER',
    licenseDeclared: 'Apache-2.0',
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    checksums: [{ algorithm: 'SHA256', checksumValue: digest.replace('sha256:', '') }],
  };
  const one = (kind: string, name: string, at: string, purl: string, license = 'NOASSERTION', sha256?: string) => ({
    SPDXID: spdxId(`${kind}-${name}-${at}`),
    name,
    versionInfo: at,
    licenseDeclared: license,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    ...(sha256 ? { checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }] } : {}),
  });
  const parts = [
    one('generic', 'node', node, npmPurl({ name: 'node', version: node }), 'MIT'),
    ...debian.map((each) =>
      one('deb', each.name, each.version, debianPurl(each, architecture), 'NOASSERTION', each.sha256),
    ),
    ...npm.map((each) => one('npm', each.name, each.version, npmPurl(each), each.license)),
  ];
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `fairlead-${version}-${architecture}`,
    documentNamespace: `https://fairlead.dev/spdx/${digest.replace(':', '-')}`,
    creationInfo: { created, creators: ['Tool: fairlead-npm-run-image'] },
    packages: [image, ...parts],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: image.SPDXID },
      ...parts.map(({ SPDXID }) => ({
        spdxElementId: image.SPDXID,
        relationshipType: 'CONTAINS',
        relatedSpdxElement: SPDXID,
      })),
    ],
  };
}
