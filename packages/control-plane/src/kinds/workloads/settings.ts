/** Flags of a kube-apiserver that change what workloads may do. */
export interface Settings {
  /** `--allow-privileged`; off unless told, as there. */
  readonly allowPrivileged: boolean;
}
