import { formatTime, isJsonObject, type Json } from '@fairlead/apimachinery';
import type { Manifest } from '@fairlead/render';
import { writeYamlPretty } from '@fairlead/render/go-yaml';
import type { CommitMetadata } from '@fairlead/source';
import { goMapOf } from '../notifications/environment/go-values.ts';
import { textCompiler } from '../notifications/templates/compile-text.ts';

/** The manifests of one Application, and the folder that they are written to. */
export interface HydratedFolder {
  readonly path: string;
  readonly manifests: readonly Manifest[];
}

/** The commit that was rendered. */
export interface DryCommit {
  readonly repoURL: string;
  readonly sha: string;
  readonly metadata: CommitMetadata;
}

export interface HydratorTemplates {
  readonly commitMessage: string;
  readonly readme: string;
}

export const defaultTemplates: HydratorTemplates = {
  commitMessage: `{{ .metadata.drySha | trunc 7 }}: {{ .metadata.subject }}
{{- with .metadata.body }}

{{ . }}
{{- end }}
{{- with .metadata.author }}

Co-authored-by: {{ . }}
{{- end }}
`,
  readme: `# Hydrated manifests

This folder is generated. It was rendered from commit {{ .DrySHA }} of {{ .RepoURL }}:

\`\`\`shell
git clone {{ .RepoURL }}
git checkout {{ .DrySHA }}
\`\`\`
`,
};

const gitAttributes = '**/README.md linguist-generated=true\n**/hydrator.metadata linguist-generated=true';

/**
 * The files of a commit, by path: `manifest.yaml` for each folder, `README.md` and `hydrator.metadata` next to those that change, and
 * `hydrator.metadata` of the whole branch. Undefined if no manifest changes.
 */
export function hydratedFiles(
  folders: readonly HydratedFolder[],
  dry: DryCommit,
  destinationUrl: string,
  { readme }: HydratorTemplates,
  read: (path: string) => string | undefined,
): ReadonlyMap<string, string> | undefined {
  const files = new Map<string, string>();
  const about = { repoURL: destinationUrl, drySha: dry.sha };
  const variables = goMapOf({ RepoURL: dry.repoURL, DrySHA: dry.sha, Commands: [], References: [] });
  const compile = textCompiler('readme', () => dry.metadata.date);
  for (const { path, manifests } of folders) {
    const text = manifests.map(({ object }) => writeYamlPretty(withIntegers(object))).join('---\n');
    const at = (name: string): string => `${path.replace(/\/+$/u, '')}/${name}`;
    if (read(at('manifest.yaml')) === text) continue;
    files.set(at('manifest.yaml'), text);
    files.set(at('hydrator.metadata'), metadataText(about));
    files.set(at('README.md'), compile(readme)(variables));
  }
  if (files.size === 0) return undefined;
  files.set('hydrator.metadata', metadataText({ ...about, ...describe(dry.metadata) }));
  files.set('.gitattributes', gitAttributes);
  return files;
}

/** The files that `hydratedFiles` reads. */
export const pathsRead = (folders: readonly HydratedFolder[]): string[] =>
  folders.map(({ path }) => `${path.replace(/\/+$/u, '')}/manifest.yaml`);

export function commitMessageOf({ repoURL, sha, metadata }: DryCommit, { commitMessage }: HydratorTemplates): string {
  const variables = goMapOf({ metadata: { repoURL, drySha: sha, ...describe(metadata) } });
  return textCompiler('commit-template', () => metadata.date)(commitMessage)(variables);
}

function describe({ author, date, message }: CommitMetadata) {
  const [subject = '', ...body] = message.trim().split('\n\n');
  return {
    ...(author ? { author } : {}),
    date: formatTime(new Date(date).getTime()),
    ...(subject ? { subject } : {}),
    ...(body.length > 0 ? { body: body.join('\n\n') } : {}),
  };
}

const metadataText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Whole numbers are written without an exponent. */
function withIntegers(value: Json | object | undefined): unknown {
  if (Array.isArray(value)) return value.map(withIntegers);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIntegers(one)]));
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}
