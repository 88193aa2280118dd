import { pullRequestFor } from '../../src/pull-request/pull-request.ts';
import { parseImage } from '../../src/reference/image-reference.ts';
import { branchName, commitMessage, type ImageChange, Template, targetKey } from '../../src/write-back/templates.ts';
import type { Input, Ops } from './case.ts';
import { joined } from './expect.ts';

const change = (input: Input): ImageChange => ({
  image: parseImage(input['image']),
  old: { tag: input['old_tag'] || undefined, digest: input['old_digest'] || undefined },
  new: { tag: input['new_tag'] || undefined, digest: input['new_digest'] || undefined },
  labels: input['labels'],
});

const branch = ({ template, app_namespace: namespace, target_key: key, changes }: Input, application: string) =>
  branchName(new Template(template, 'branch'), {
    namespace,
    application,
    targetKey: key,
    changes: changes.map(change),
  });

const key = (input: Input) =>
  targetKey({
    repository: input['git_repo'],
    branch: input['git_branch'],
    target: input['target'],
    kustomizeBase: input['kustomize_base'],
  });

export const templateOps: Ops = {
  commit_message: ({ template, app, changes }) => ({
    text: commitMessage(new Template(template, 'commit'), app, changes.map(change)),
  }),
  print_template: ({ template, app, changes }) => ({
    text: `${commitMessage(new Template(template, 'commit'), app, changes.map(change))}\n`,
  }),
  branch_name: (input) => ({ text: branch(input, input['app']) }),
  branch_names_equal(input) {
    const names = new Set((input['apps'] as string[]).map((app) => branch(input, app)));
    return { equal: names.size === 1 };
  },
  pull_request: ({
    app_namespace: namespace,
    app,
    base,
    head,
    commit_message: message,
    commit_message_parts: parts,
    labels = [],
  }) => ({
    ...pullRequestFor({
      namespace,
      application: app,
      base,
      head,
      commitMessage: parts ? joined(parts) : message,
      labels,
    }),
  }),
  target_key: (input) => ({
    key: key(input['target'] && typeof input['target'] === 'object' ? input['target'] : input),
  }),
  target_keys_equal: ({ a, b }) => ({ equal: key(a) === key(b) }),
};
