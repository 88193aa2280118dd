import { applicationset, atStart, honoured, notSupported, oneOf, own, type Settings } from '../setting.ts';

const noProgram = 'Git is read in process: there is no repo server to configure';

/** Keys of the ApplicationSet controller. */
export const applicationSetSettings = {
  'applicationsetcontroller.policy': oneOf(
    ['sync', 'create-only', 'create-update', 'create-delete'],
    'sync',
    applicationset,
    'what ApplicationSets may do with Applications',
  ),
  'applicationsetcontroller.enable.policy.override': honoured(
    'boolean',
    '',
    applicationset,
    '`applicationsSync` of an ApplicationSet replaces the policy; true unless a policy is set',
  ),
  'applicationsetcontroller.enable.progressive.syncs': honoured(
    'boolean',
    'false',
    applicationset,
    'the strategy `RollingSync` is used',
  ),
  'applicationsetcontroller.enable.scm.providers': honoured(
    'boolean',
    'true',
    applicationset,
    'the generators `scmProvider` and `pullRequest` may be used',
  ),
  'applicationsetcontroller.allowed.scm.providers': honoured(
    'list',
    '',
    applicationset,
    'the addresses of forges that ApplicationSets may use',
  ),
  'applicationsetcontroller.enable.tokenref.strict.mode': honoured(
    'boolean',
    'false',
    applicationset,
    'Secrets of tokens need the label `argocd.argoproj.io/secret-type: scm-creds`',
  ),
  'applicationsetcontroller.enable.new.git.file.globbing': honoured(
    'boolean',
    'false',
    applicationset,
    '`**` in patterns of files matches directories, and `*` does not match `/`',
  ),
  'applicationsetcontroller.global.preserved.annotations': honoured(
    'list',
    '',
    applicationset,
    'annotations of generated Applications that are not changed',
  ),
  'applicationsetcontroller.global.preserved.labels': honoured(
    'list',
    '',
    applicationset,
    'labels of generated Applications that are not changed',
  ),
  'applicationsetcontroller.status.max.resources.count': honoured(
    'number',
    '5000',
    applicationset,
    'the number of Applications in the status of an ApplicationSet',
  ),
  'applicationsetcontroller.requeue.after': honoured(
    'duration',
    '3m',
    applicationset,
    'how often generators without `requeueAfterSeconds` run',
  ),
  'applicationsetcontroller.namespaces': honoured(
    'list',
    '',
    applicationset,
    'other namespaces whose ApplicationSets are reconciled: globs and `/regular expressions/`',
  ),
  'applicationsetcontroller.concurrent.reconciliations.max': atStart(
    honoured('number', '10', applicationset, 'the number of ApplicationSets that are reconciled at the same time'),
  ),
  'applicationsetcontroller.max.deletion.percent': own(
    honoured(
      'number',
      '50',
      applicationset,
      'the share of its Applications that a change of an ApplicationSet may delete without confirmation',
    ),
  ),
  'applicationsetcontroller.enable.leader.election': notSupported(
    'boolean',
    'false',
    applicationset,
    'replicas always elect a leader',
  ),
  'applicationsetcontroller.debug': notSupported('boolean', 'false', applicationset, 'set `FAIRLEAD_LOG=debug`'),
  'applicationsetcontroller.dryrun': notSupported(
    'boolean',
    'false',
    applicationset,
    'use `fairlead appset preview`, which writes nothing',
  ),
  'applicationsetcontroller.enable.git.submodule': notSupported(
    'boolean',
    'true',
    applicationset,
    'submodules are always read',
  ),
  'applicationsetcontroller.scm.root.ca.path': notSupported(
    'text',
    '',
    applicationset,
    'use `caRef` of the generator, or `NODE_EXTRA_CA_CERTS`',
  ),
  'applicationsetcontroller.webhook.parallelism.limit': notSupported(
    'number',
    '50',
    applicationset,
    'webhooks are limited per sender; see the page on limits',
  ),
  'applicationsetcontroller.enable.github.api.metrics': notSupported(
    'boolean',
    'false',
    applicationset,
    'there is no separate metric for calls of forges',
  ),
  'applicationsetcontroller.repo.server.plaintext': notSupported('boolean', 'false', applicationset, noProgram),
  'applicationsetcontroller.repo.server.strict.tls': notSupported('boolean', 'false', applicationset, noProgram),
  'applicationsetcontroller.repo.server.timeout.seconds': notSupported('seconds', '60', applicationset, noProgram),
} as const satisfies Settings;
