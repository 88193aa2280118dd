import { type Chapter, type ExplainInput, reason, sentence } from './reason.ts';
import { remedyForSource } from './source.ts';

/** Why the branch with rendered manifests is behind its dry source. */
export function hydration({ application }: ExplainInput): Chapter | undefined {
  const { phase, message = '', drySHA = '' } = application.status?.sourceHydrator?.currentOperation ?? {};
  const { sourceHydrator } = application.spec;
  if (phase !== 'Failed' || !sourceHydrator) return undefined;
  const { repoURL, targetRevision } = sourceHydrator.drySource;
  const from = drySHA === '' ? targetRevision : `commit ${drySHA.slice(0, 7)}`;
  const remedy = /authenti|credential|denied|permission|refused/iu.test(message)
    ? 'add credentials for writing: a Secret in argocd with the label argocd.argoproj.io/secret-type: repository-write'
    : remedyForSource(message, application);
  return {
    title: 'Why the hydrated branch is not up to date',
    reasons: [reason(sentence(message), reason(`The dry source is ${repoURL} at ${from}.`))],
    next: [remedy],
  };
}
