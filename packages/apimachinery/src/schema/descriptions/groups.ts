/** The texts of `kubectl explain` for the other groups. See ./meta.ts for the format. */
const podOwner = `  selector: Labels of the pods that belong to it. It cannot change.
  template: What its pods are like.
  minReadySeconds: How long a pod must be ready to count as available.`;
const history = '  revisionHistoryLimit: How many old revisions are kept to go back to.';

export const groupDescriptions: Readonly<Record<string, string>> = {
  apps: `
ControllerRevision: A state that a controller was once in, kept to go back to.
DaemonSet: Runs a pod on every node, or on those that match.
DaemonSetSpec: What runs on the nodes.
${podOwner}
${history}
  updateStrategy: How pods are replaced when the template changes.
Deployment: Keeps pods running and rolls out changes to them step by step.
DeploymentSpec: What runs, how often, and how changes come about.
${podOwner}
${history}
  replicas: How many pods there should be.
  strategy: How pods are replaced when the template changes.
  paused: Whether changes are held back.
  progressDeadlineSeconds: How long a rollout may make no progress before it counts as failed.
ReplicaSet: Keeps a number of like pods running.
ReplicaSetSpec: What runs and how often.
${podOwner}
  replicas: How many pods there should be.
StatefulSet: Keeps pods running that each have a separate name and storage.
StatefulSetSpec: What runs, how often, and with which storage.
${podOwner}
${history}
  replicas: How many pods there should be.
  serviceName: The service that gives the pods their names in DNS.
  volumeClaimTemplates: Claims that are made for each pod.
  podManagementPolicy: Whether pods come one after another or all at once.
  updateStrategy: How pods are replaced when the template changes.
  persistentVolumeClaimRetentionPolicy: What becomes of the claims when pods go.`,
  batch: `
CronJob: Starts jobs by the clock.
CronJobSpec: When which job is started.
  schedule: When, in the five fields of cron.
  timeZone: The time zone of the schedule.
  startingDeadlineSeconds: How late a job may still start.
  concurrencyPolicy: What happens while the job before still runs: Allow, Forbid or Replace.
  suspend: Whether no more jobs are started.
  jobTemplate: What the jobs are like.
  successfulJobsHistoryLimit: How many successful jobs are kept.
  failedJobsHistoryLimit: How many failed jobs are kept.
Job: Runs pods until enough of them have succeeded.
JobSpec: What is run, how often, and when it counts as failed.
  parallelism: How many pods run at a time, at most.
  completions: How many must succeed.
  activeDeadlineSeconds: How long the job may take.
  backoffLimit: How many failures it puts up with.
  template: What its pods are like.
  ttlSecondsAfterFinished: How long it is kept once it is finished.
  completionMode: NonIndexed, or Indexed to give each pod a number.
  suspend: Whether it is held.
  selector: Labels of its pods; set by the server.
  manualSelector: Whether the selector was chosen by hand.`,
  networking: `
Ingress: Leads requests from outside to services, by host and path.
IngressSpec: Which requests go where.
  ingressClassName: Who carries it out.
  defaultBackend: Where requests go that no rule matches.
  tls: Hosts that are served with a certificate.
  rules: Hosts and paths, and the services behind them.
IngressClass: Who carries out ingresses.
IPAddress: An address that is taken.
NetworkPolicy: Which traffic pods may receive and send.
NetworkPolicySpec: Which pods it is about and what they may do.
  podSelector: The pods that it is about; empty for all of the namespace.
  policyTypes: Ingress, Egress or both.
  ingress: What may come in.
  egress: What may go out.
ServiceCIDR: Addresses that services are given.`,
  policy: `
Eviction: Asks a pod to leave, within what its disruption budgets allow.
PodDisruptionBudget: How many pods of a set must stay when others make them leave.
PodDisruptionBudgetSpec: Which pods, and how many.
  minAvailable: How many, or what share, must stay.
  maxUnavailable: How many, or what share, may be away.
  selector: The pods that it is about.`,
  autoscaling: `
HorizontalPodAutoscaler: Sets the number of pods by what is measured.
HorizontalPodAutoscalerSpec: What is scaled, between which bounds, and by what.
  scaleTargetRef: What is scaled.
  minReplicas: The fewest pods.
  maxReplicas: The most pods.
  metrics: What is measured, and what it should be.
  behavior: How fast it goes up and down.
  targetCPUUtilizationPercentage: How busy the CPUs should be, in percent of what was requested.
Scale: How many replicas something has and should have.
ScaleSpec: How many there should be.
  replicas: The number.
ScaleStatus: How many there are.
  replicas: The number.
  selector: Labels of the pods, as text.`,
  rbac: `
ClusterRole: What may be done, in all namespaces or outside of them.
  rules: What may be done.
  aggregationRule: Other cluster roles whose rules this one gathers.
ClusterRoleBinding: Gives a cluster role to users everywhere.
  subjects: Who gets it.
  roleRef: The role. It cannot change.
Role: What may be done in one namespace.
  rules: What may be done.
RoleBinding: Gives a role to users in one namespace.
  subjects: Who gets it.
  roleRef: The role. It cannot change.
PolicyRule: What may be done with what.
  verbs: What may be done; * for anything.
  apiGroups: The groups of the resources.
  resources: The resources, with /status and the like; * for all.
  resourceNames: Only objects of these names.
  nonResourceURLs: Paths that are no resources.
Subject: A user, a group or a service account.`,
  authentication: `
SelfSubjectReview: Tells who you are.
TokenRequest: Asks for a token of a service account.
TokenReview: Asks whose token this is.`,
  authorization: `
LocalSubjectAccessReview: Asks whether a user may do something in a namespace.
SelfSubjectAccessReview: Asks whether you may do something.
SelfSubjectRulesReview: Asks what you may do in a namespace.
SubjectAccessReview: Asks whether a user may do something.`,
  coordination: `
Lease: Who is in charge of something, and until when.`,
  events: `
Event: Something that happened to an object.`,
  discovery: `
EndpointSlice: Some of the addresses behind a service.`,
  storage: `
CSIDriver: A storage driver and what it can do.
CSINode: The storage drivers of a node.
CSIStorageCapacity: How much storage is left for a class in a place.
StorageClass: A kind of storage that claims can ask for.
VolumeAttachment: That a volume is to be attached to a node.
VolumeAttributesClass: Properties of volumes that can change.`,
  scheduling: `
PriorityClass: A name for a priority of pods.
  value: The priority; pods with a higher one go first.
  globalDefault: Whether pods that name no class get this one.`,
  node: `
RuntimeClass: A runtime that pods can ask to be run with.`,
  admissionregistration: `
MutatingAdmissionPolicy: Changes objects on their way in.
MutatingAdmissionPolicyBinding: Where a mutating policy counts.
MutatingWebhookConfiguration: Servers that may change objects on their way in.
ValidatingAdmissionPolicy: Conditions that objects must meet to be let in.
ValidatingAdmissionPolicyBinding: Where a validating policy counts.
ValidatingWebhookConfiguration: Servers that may refuse objects on their way in.`,
  flowcontrol: `
FlowSchema: Which requests belong to which level of priority.
PriorityLevelConfiguration: How many requests of a level are served at a time.`,
  certificates: `
CertificateSigningRequest: Asks for a certificate to be signed.`,
  resource: `
DeviceClass: A kind of device that claims can ask for.
ResourceClaim: A wish for devices.
ResourceClaimTemplate: What claims made for pods are like.
ResourceSlice: Devices that a driver offers.`,
  apiextensions: `
CustomResourceDefinition: A kind of object of your own.
CustomResourceDefinitionSpec: What it is called and what it looks like.
  group: The API group that it belongs to.
  names: What it is called.
  scope: Namespaced or Cluster.
  versions: Its versions; exactly one of them is stored.
  conversion: How one version becomes another.
CustomResourceDefinitionVersion: One version of a kind.
  name: The version, such as v1.
  served: Whether it can be asked for.
  storage: Whether objects are stored in it.
  schema: What its objects look like.
  subresources: Whether it has a status and a scale.
  additionalPrinterColumns: What kubectl get shows.`,
  apiregistration: `
APIService: A group version that another server answers for.`,
};
