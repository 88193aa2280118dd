import { type Contents, debianPurl, npmPurl } from './sbom.ts';

export interface Build {
  /** The commit of the sources, and whether files differed from it. */
  readonly commit: string;
  readonly modified: boolean;
  /** The name and the digest of the image's manifest. */
  readonly image: string;
  readonly digest: string;
}

/** An in-toto statement with the SLSA provenance of a build: from which sources and packages the image was made. */
export function provenanceOf({ commit, modified, image, digest }: Build, contents: Contents): object {
  const { architecture, debian, npm, node } = contents;
  const sha256 = digest.replace('sha256:', '');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: image, digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://fairlead.dev/build/npm-run-image/v1',
        externalParameters: { architecture, modified },
        resolvedDependencies: [
          { uri: 'git+fairlead', digest: { gitCommit: commit } },
          { uri: npmPurl({ name: 'node', version: node }) },
          ...debian.map((each) => ({ uri: debianPurl(each, architecture), digest: { sha256: each.sha256 } })),
          ...npm.map((each) => ({
            uri: npmPurl(each),
            ...(each.integrity?.startsWith('sha512-') ? { digest: { sha512: hex(each.integrity) } } : {}),
          })),
        ],
      },
      runDetails: { builder: { id: 'https://fairlead.dev/build/npm-run-image' } },
    },
  };
}

const hex = (integrity: string): string => Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
