import { condition, degraded, field, healthy, not, present, progressing, type Rule, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';

/** Kinds that are only read by others and have no status. */
const withoutStatus = [
  'ClusterProviderConfig',
  'Composition',
  'CompositionRevision',
  'ControllerConfig',
  'DeploymentRuntimeConfig',
  'EnvironmentConfig',
  'ImageConfig',
  'ProviderConfig',
  'ProviderConfigUsage',
  'StoreConfig',
];

const wellWhenTrue = [
  'Ready',
  'Healthy',
  'RevisionHealthy',
  'Offered',
  'Established',
  'ValidPipeline',
  'RuntimeHealthy',
];

/** Paused is intended, not an error. */
const unsynced = [
  suspended('{it.reason}', condition('Synced', 'False', { reason: 'ReconcilePaused' })),
  degraded('{it.message}', condition(['Synced', 'LastAsyncOperation'], 'False')),
];

const managed: Rule = [
  healthy('Resource is up-to-date.', field('kind', ...withoutStatus)),
  ...unsynced,
  healthy('Resource is up-to-date.', condition(wellWhenTrue, 'True')),
  progressing('Provisioning ...'),
];

const awsResource = (name: string): Rule => [
  progressing(`Waiting for ${name} to be created`, not(present('status.conditions'))),
  ...unsynced,
  healthy('{it.reason}', condition('Ready', 'True')),
  progressing(`Waiting for ${name} to be available`),
];

const packageOf = (name: string): Rule => [
  healthy(
    '{condition Installed.reason} {condition Healthy.reason}',
    condition('Installed', 'True'),
    condition('Healthy', 'True'),
  ),
  degraded('{condition Installed.reason} {condition Healthy.reason}', condition(['Installed', 'Healthy'], 'False')),
  progressing(`Waiting for ${name} to be installed`),
];

const installed = { at: 'status.conditionedStatus.conditions' };

export const crossplane: Rules = {
  '*.crossplane.io/*': managed,
  '*.upbound.io/*': managed,
  'pkg.crossplane.io/Provider': packageOf('provider'),
  'pkg.crossplane.io/Configuration': packageOf('configuration'),
  'pkg.crossplane.io/Function': packageOf('function'),
  'stacks.crossplane.io/ClusterStackInstall': [
    healthy('{it.reason}', condition('Ready', 'True', installed)),
    progressing('{it.reason}', condition('Ready', 'False', installed)),
    progressing('Waiting for stack to be installed'),
  ],
  'cloudfront.aws.crossplane.io/Distribution': awsResource('distribution'),
  'iam.aws.crossplane.io/Policy': awsResource('Policy'),
  'iam.aws.crossplane.io/Role': awsResource('Role'),
  'iam.aws.crossplane.io/RolePolicyAttachment': awsResource('RolePolicyAttachment'),
  'rds.aws.crossplane.io/DBCluster': awsResource('DBCluster'),
  'rds.aws.crossplane.io/DBInstance': awsResource('DBInstance'),
  'route53.aws.crossplane.io/ResourceRecordSet': awsResource('resourcrecordset'),
  's3.aws.crossplane.io/Bucket': awsResource('Bucket'),
};
