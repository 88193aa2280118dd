import type { Json, JsonObject } from '@fairlead/apimachinery';
import type { GoMap } from '@fairlead/render/go-template';
import { bool, list, optional, struct, text } from '../config/decode.ts';
import type { CompileText } from './compile-text.ts';
import type { CompilePart } from './part.ts';

const texts = (names: string) => struct(Object.fromEntries(names.split(' ').map((name) => [name, text])));
const statusFields = texts('state label targetURL');
const outputFields = texts('title summary text');
const dispatchFields = texts('event_type client_payload');
const checkRunTexts = texts('name details_url status conclusion started_at completed_at');
const deploymentTexts = texts('state environment environmentURL logURL reference');
const fields = struct({
  status: optional(statusFields),
  deployment: optional((value, path) => ({
    texts: deploymentTexts(value, path),
    rest: struct({
      requiredContexts: optional(list(text)),
      autoMerge: optional(bool),
      transientEnvironment: optional(bool),
    })(value, path),
  })),
  pullRequestComment: optional(struct({ content: text, commentTag: text })),
  checkRun: optional((value, path) => ({
    texts: checkRunTexts(value, path),
    output: struct({ output: optional(outputFields) })(value, path).output,
  })),
  repositoryDispatch: optional(dispatchFields),
  repoURLPath: text,
  revisionPath: text,
});

type RenderObject = (variables: GoMap) => JsonObject;

/** Renders the texts of an object, and leaves out those that are empty. */
function object(given: Readonly<Record<string, string>>, compile: CompileText): RenderObject {
  const renders = Object.entries(given).map(([name, value]) => ({ name, render: compile(value) }));
  return (variables) =>
    Object.fromEntries(
      renders.map(({ name, render }): [string, Json] => [name, render(variables)]).filter(([, value]) => value !== ''),
    );
}

const commentTag = (tag: string): string => `<!-- argocd-notifications ${tag} -->`;

export const githubPart: CompilePart = (raw, compile) => {
  const given = fields(raw, 'github');
  const { status, deployment, pullRequestComment: comment, checkRun, repositoryDispatch: dispatch } = given;
  const paths = {
    repoURLPath: given.repoURLPath || '{{.app.spec.source.repoURL}}',
    revisionPath: given.revisionPath || '{{.app.status.operationState.syncResult.revision}}',
  };
  const [repoURL, revision] = [compile(paths.repoURLPath), compile(paths.revisionPath)];
  const content = comment && compile(comment.content);
  const output = checkRun?.output && object(checkRun.output, compile);
  const parts: Record<string, RenderObject | undefined> = {
    status: status && object(status, compile),
    checkRun: checkRun && withOutput(object(checkRun.texts, compile), output),
    repositoryDispatch: dispatch && object(dispatch, compile),
    deployment: deployment && withDefaults(object(deployment.texts, compile), deployment.rest),
    pullRequestComment:
      content &&
      ((variables) => {
        const tag = comment.commentTag;
        const body = content(variables);
        if (tag === '') return body === '' ? {} : { content: body };
        return { content: `${body}\n${commentTag(tag)}`, commentTag: tag };
      }),
  };
  return (notification, variables) => {
    notification.github = { repoURL: repoURL(variables), revision: revision(variables) };
    const part: JsonObject = { ...paths, ...notification.parts.github };
    for (const [name, render] of Object.entries(parts)) if (render) part[name] = render(variables);
    notification.parts.github = part;
  };
};

const withOutput =
  (render: RenderObject, output: RenderObject | undefined): RenderObject =>
  (variables) => ({ ...render(variables), ...(output ? { output: output(variables) } : {}) });

const withDefaults =
  (
    render: RenderObject,
    rest: {
      requiredContexts: string[] | undefined;
      autoMerge: boolean | undefined;
      transientEnvironment: boolean | undefined;
    },
  ): RenderObject =>
  (variables) => ({
    ...render(variables),
    requiredContexts: rest.requiredContexts ?? null,
    autoMerge: rest.autoMerge ?? true,
    transientEnvironment: rest.transientEnvironment ?? false,
  });
