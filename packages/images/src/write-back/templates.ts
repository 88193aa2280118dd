import { createHash } from 'node:crypto';
import { messageOf } from '@fairlead/apimachinery';
import {
  Budget,
  execute,
  GoMap,
  GoObject,
  type GoValue,
  stringMap,
  structType,
  TemplateSet,
} from '@fairlead/render/go-template';
import { ImagesError } from '../images-error.ts';
import { type ImageReference, type VersionOfImage, versionText } from '../reference/image-reference.ts';

/** One changed image. */
export interface ImageChange {
  readonly image: ImageReference;
  readonly old: VersionOfImage;
  readonly new: VersionOfImage;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export const defaultCommitTemplate = `build: automatic update of {{ .AppName }}

{{ range .AppChanges -}}
updates image {{ .Image }} tag '{{ .OldTag }}' to '{{ .NewTag }}'
{{ end -}}
`;

const maxBranchLength = 255;

/** A parsed template; a syntax error is reported to its author. */
export class Template {
  readonly #set = new TemplateSet({});
  readonly #what: string;

  constructor(text: string, what: string) {
    this.#what = what;
    try {
      this.#set.parse('template', text);
    } catch (error) {
      throw this.#wrong(error);
    }
  }

  render(data: GoValue): string {
    try {
      return execute(this.#set, 'template', data, new Budget());
    } catch (error) {
      throw this.#wrong(error);
    }
  }

  #wrong(error: unknown): ImagesError {
    return new ImagesError('InvalidTemplate', `the template of the ${this.#what}: ${messageOf(error)}`);
  }
}

const struct = structType('struct');

/** An unknown field is an error, and not `<no value>` in a commit. */
const fields = (values: Readonly<Record<string, GoValue>>): GoObject =>
  new GoObject(struct, { fields: Object.entries(values) });
const texts = (values: Readonly<Record<string, string>>): GoMap => new GoMap(Object.entries(values), stringMap);

export const commitMessage = (template: Template, application: string, changes: readonly ImageChange[]): string =>
  template.render(
    fields({
      AppName: application,
      AppChanges: changes.map(({ image, old, new: next, labels }) =>
        fields({
          Image: image.name,
          OldTag: versionText(old),
          NewTag: versionText(next),
          Labels: texts(labels ?? {}),
        }),
      ),
    }),
  );

export interface BranchNameInput {
  readonly namespace: string;
  readonly application: string;
  /** Equal for all writes to the same location. */
  readonly targetKey: string;
  readonly changes: readonly ImageChange[];
}

export function branchName(
  template: Template,
  { namespace, application, targetKey, changes }: BranchNameInput,
): string {
  const hash = createHash('sha256');
  for (const { image, old, new: next } of changes)
    hash.update(`${image.name}-${versionText(old)}-${versionText(next)},`);
  const text = template.render(
    fields({
      AppNamespace: namespace,
      AppName: application,
      TargetKey: targetKey,
      SHA256: hash.digest('hex'),
      Images: changes.map(({ image, old, new: next }) =>
        fields({ Name: image.name, Alias: image.alias, OldTag: versionText(old), NewTag: versionText(next) }),
      ),
    }),
  );
  return Buffer.from(text)
    .subarray(0, maxBranchLength)
    .toString()
    .replace(/\uFFFD$/u, '');
}

/** The start of the branches of all pull requests for the same location. */
export const pullRequestBranchPrefix = (key: string): string => `image-updater-${key}-`;

export const pullRequestBranch = `${pullRequestBranchPrefix('{{.TargetKey}}')}{{.SHA256}}`;

/** Short and stable: a hash of the location. */
export function targetKey(target: {
  readonly repository: string;
  readonly branch: string;
  readonly target: string;
  readonly kustomizeBase: string;
}): string {
  const place = `${target.repository}|${target.branch}|${target.target || target.kustomizeBase}`;
  return createHash('sha256').update(place).digest('hex').slice(0, 8);
}
