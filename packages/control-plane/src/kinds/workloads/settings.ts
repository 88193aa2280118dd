/** Flags of a kube-apiserver that change what workloads may do. */
export interface Settings {
  /** `--allow-privileged`; off by default, as there. */
  readonly allowPrivileged: boolean;
}
