import {
  controller,
  controllerAndServer,
  different,
  honoured,
  notSupported,
  oneOf,
  type Settings,
} from '../setting.ts';

/** Keys about kinds of resources: which are watched, and how they are compared, assessed and shown. */
export const resourceSettings = {
  'resource.exclusions': honoured(
    'yaml',
    '',
    controllerAndServer,
    'resources that are not watched, by API group, kind and cluster',
  ),
  'resource.inclusions': honoured(
    'yaml',
    '',
    controllerAndServer,
    'the only resources that are watched; all if absent',
  ),
  'resource.respectRBAC': oneOf(
    ['normal', 'strict'],
    '',
    controllerAndServer,
    'kinds that may not be listed are skipped without a warning',
  ),
  'resource.compareoptions': different(
    'yaml',
    '',
    controllerAndServer,
    'which parts of objects are compared: `ignoreResourceStatusField`, `ignoreDifferencesOnResourceUpdates`',
    'rules of aggregated ClusterRoles are never compared, whatever `ignoreAggregatedRoles` says',
  ),
  'resource.ignoreResourceUpdatesEnabled': honoured(
    'boolean',
    'true',
    controllerAndServer,
    'a change of only ignored fields does not refresh an Application',
  ),
  'resource.customizations': honoured(
    'yaml',
    '',
    controllerAndServer,
    'all customizations of kinds in one value; kinds may be globs',
  ),
  'resource.customizations.health.*': honoured('text', '', controllerAndServer, 'the health script of a kind, in Lua'),
  'resource.customizations.useOpenLibs.*': different(
    'boolean',
    'false',
    controllerAndServer,
    "the health script of a kind may use Lua's standard libraries",
    'string and math are always available, files never',
  ),
  'resource.customizations.ignoreDifferences.*': honoured(
    'yaml',
    '',
    controllerAndServer,
    'fields of a kind that are not compared',
  ),
  'resource.customizations.ignoreResourceUpdates.*': honoured(
    'yaml',
    '',
    controllerAndServer,
    'fields of a kind whose changes do not refresh an Application',
  ),
  'resource.customizations.knownTypeFields.*': honoured(
    'yaml',
    '',
    controllerAndServer,
    'fields of a custom resource that have a type of Kubernetes',
  ),
  'resource.customizations.actions.*': honoured('yaml', '', controllerAndServer, 'actions of a kind, in Lua'),
  'resource.sensitive.mask.annotations': honoured(
    'list',
    '',
    controllerAndServer,
    'annotations of Secrets that are masked',
  ),
  'resource.customLabels': honoured('list', '', controllerAndServer, 'labels that resource trees show'),
  'resource.includeEventLabelKeys': notSupported(
    'list',
    '',
    controller,
    'events of Applications have no labels of the Application',
  ),
  'resource.excludeEventLabelKeys': notSupported(
    'list',
    '',
    controller,
    'events of Applications have no labels of the Application',
  ),
} as const satisfies Settings;
