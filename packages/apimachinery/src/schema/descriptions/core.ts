/** The texts of `kubectl explain` for core/v1. See ./meta.ts for the format. */
export const coreDescriptions = `
Binding: Puts a pod on a node.
ComponentStatus: The health of a part of the cluster. Deprecated.
ConfigMap: Configuration for pods to read.
  data: Values that are text, by key.
  binaryData: Values that are bytes, by key. A key is either here or in data.
  immutable: Once true, neither the values nor this can change.
Secret: Values that are to be kept from view, such as passwords and keys.
  data: The values, by key, in base64.
  stringData: Values as plain text, merged into data on write and never shown.
  type: What the values are for; some types demand certain keys.
  immutable: Once true, neither the values nor this can change.
Endpoints: The addresses behind a service. Deprecated: see EndpointSlice.
Event: Something that happened to an object.
  involvedObject: The object that it is about.
  reason: What happened, in one word.
  message: What happened, in a sentence.
  type: Normal or Warning.
  count: How often it happened.
  firstTimestamp: When it happened first.
  lastTimestamp: When it happened last.
  source: Who saw it.
LimitRange: Limits and defaults for what pods and claims of a namespace may ask for.
Namespace: A space for names, and a unit of access and quota.
Node: A machine that pods run on.
PersistentVolume: Storage that outlives pods.
PersistentVolumeClaim: A wish for storage, bound to a volume that fulfils it.
Pod: Containers that run together on one node.
PodTemplate: A pattern that pods are made from.
ReplicationController: Keeps a number of pods alive. Superseded by ReplicaSet.
ResourceQuota: The most that a namespace may hold and use.
Service: A stable address in front of a set of pods.
ServiceAccount: An identity that pods act under.
PodTemplateSpec: What a pod made from this template is like.
PodSpec: What a pod is made of and how it is to run.
  containers: The containers, at least one. They cannot be added or removed later.
  initContainers: Containers that run one after another before the others start.
  ephemeralContainers: Containers added to a running pod to look into it.
  volumes: Storage that containers of the pod can mount.
  restartPolicy: When containers are started again: Always, OnFailure or Never.
  terminationGracePeriodSeconds: How long processes have to end when the pod is deleted.
  activeDeadlineSeconds: How long the pod may run before it is failed.
  dnsPolicy: Where names are looked up.
  nodeSelector: Labels that a node must have for the pod to run there.
  nodeName: The node that the pod is on; set by the scheduler.
  serviceAccountName: The service account that the pod acts under.
  serviceAccount: The older name of serviceAccountName.
  automountServiceAccountToken: Whether a token of the service account is mounted.
  hostNetwork: Whether the pod uses the network of its node.
  hostPID: Whether it sees the processes of its node.
  hostIPC: Whether it shares memory and messages with its node.
  securityContext: Users, groups and privileges of the pod as a whole.
  imagePullSecrets: Secrets of this namespace to pull images with.
  hostname: The host name inside the pod.
  subdomain: The domain below which the host name is found.
  affinity: Which nodes and which other pods it prefers or avoids.
  schedulerName: The scheduler that places it.
  tolerations: Taints of nodes that it puts up with.
  hostAliases: Extra lines of the hosts file.
  priorityClassName: The class that gives its priority.
  priority: The priority as a number; set from the class.
  preemptionPolicy: Whether it may push out pods of lower priority.
  readinessGates: Further conditions that must be true for it to be ready.
  runtimeClassName: The runtime that its containers are run with.
  enableServiceLinks: Whether services appear as environment variables.
  overhead: Resources that the runtime itself needs.
  topologySpreadConstraints: How pods spread over zones and nodes.
  os: The operating system that its containers are made for.
  schedulingGates: While there are any, the pod is not scheduled.
PodStatus: How a pod is doing.
  phase: Pending, Running, Succeeded, Failed or Unknown.
  conditions: Aspects of its state, Ready among them.
  message: Why it is in this phase, for people.
  reason: Why it is in this phase, in one word.
  podIP: Its first address.
  podIPs: All its addresses.
  hostIP: The first address of its node.
  startTime: When the node took it on.
  containerStatuses: How each container is doing.
  initContainerStatuses: How each init container is doing.
  qosClass: Guaranteed, Burstable or BestEffort: which pods go first when a node runs short.
Container: One process, from one image, within a pod.
  name: The name, unique in the pod.
  image: The image to run.
  command: Replaces the entry point of the image.
  args: Replaces the arguments of the image.
  workingDir: Where the process starts.
  ports: Ports that the process listens on. They are open whether listed or not.
  envFrom: Config maps and secrets whose keys all become environment variables.
  env: Environment variables, one by one.
  resources: How much CPU and memory it is given, and how much at most.
  volumeMounts: Where volumes of the pod appear in its files.
  volumeDevices: Block devices that it is given.
  livenessProbe: Restarts the container when it fails.
  readinessProbe: Takes the container out of services while it fails.
  startupProbe: Holds back the other probes until it succeeds.
  lifecycle: What is done after a start and before an end.
  terminationMessagePath: The file whose contents become the last word of the container.
  terminationMessagePolicy: Whether the end of the log stands in where that file is empty.
  imagePullPolicy: Always, Never or IfNotPresent.
  securityContext: Users, groups and privileges of this container.
  stdin: Whether its input stays open.
  tty: Whether it has a terminal.
  restartPolicy: For an init container: Always makes it run beside the others.
ContainerPort: A port that a container listens on.
  containerPort: The number inside the pod.
  hostPort: The number on the node, if it is to be open there.
  protocol: TCP, UDP or SCTP.
  name: A name that services can refer to.
EnvVar: An environment variable.
  name: Its name.
  value: Its value; $(NAME) refers to a variable defined before.
  valueFrom: Where else the value comes from.
Probe: How the health of a container is checked.
  initialDelaySeconds: How long after the start the first check waits.
  periodSeconds: How often it is checked.
  timeoutSeconds: How long an answer may take.
  successThreshold: How many successes in a row count as healthy again.
  failureThreshold: How many failures in a row count as unhealthy.
ResourceRequirements: What a container gets and what it may use.
  requests: What is set aside for it.
  limits: What it may not exceed.
Volume: Storage that containers of a pod can mount.
  name: The name that mounts refer to.
  emptyDir: An empty folder that lives as long as the pod.
  hostPath: A file or folder of the node.
  configMap: The values of a config map as files.
  secret: The values of a secret as files.
  persistentVolumeClaim: What a claim of this namespace is bound to.
  projected: Several sources in one folder.
  downwardAPI: Facts about the pod as files.
  csi: Storage of a driver, for the life of the pod.
  ephemeral: A claim that is made and removed with the pod.
VolumeMount: Where a volume appears in a container.
  name: The volume.
  mountPath: The folder in the container.
  readOnly: Whether it may only be read.
  subPath: A folder within the volume to mount in place of its root.
Toleration: Lets a pod run on nodes with a matching taint.
ServiceSpec: How a service is reached and what is behind it.
  type: ClusterIP, NodePort, LoadBalancer or ExternalName.
  selector: Labels of the pods behind it. Without, its endpoints are set by others.
  ports: The ports that it offers.
  clusterIP: Its address in the cluster, given by the server; None for none.
  clusterIPs: Its addresses, one for each family.
  externalName: The name that an ExternalName service refers to.
  externalIPs: Further addresses that lead to it.
  sessionAffinity: ClientIP sends one client to one pod.
  loadBalancerIP: The address asked for from the load balancer. Deprecated.
  loadBalancerSourceRanges: Addresses that may come in through the load balancer.
  externalTrafficPolicy: Whether traffic from outside stays on the node that it arrives at.
  internalTrafficPolicy: Whether traffic from inside stays on its node.
  publishNotReadyAddresses: Whether pods that are not ready are found too.
  ipFamilies: IPv4, IPv6 or both, in order.
  ipFamilyPolicy: How many families it must have.
ServicePort: A port that a service offers.
  name: Its name; needed where there are several.
  port: The number at the service.
  targetPort: The number or name at the pods.
  nodePort: The number at every node.
  protocol: TCP, UDP or SCTP.
PersistentVolumeClaimSpec: What storage is wished for.
  accessModes: How it is mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod.
  resources: How much.
  storageClassName: Of which class.
  volumeName: The volume that it is bound to.
  volumeMode: Filesystem or Block.
  selector: Labels that the volume must have.
NamespaceStatus: How a namespace is doing.
  phase: Active or Terminating.
`;
