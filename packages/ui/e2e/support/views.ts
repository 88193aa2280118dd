/** Every view, with its parameters. */
export const views = [
  '/applications',
  '/applications?view=tiles',
  '/applications?view=heatmap&group=cluster',
  '/applications/argocd/web',
  '/applications/argocd/web?tree=list',
  '/applications/argocd/web?tree=network',
  '/applications/argocd/web?section=flow',
  '/applications/argocd/web?section=diff',
  '/applications/argocd/web?section=history',
  '/applications/argocd/web?section=pods',
  '/applications/argocd/web?section=events',
  '/applications/argocd/web?section=manifest',
  '/applications/argocd/web?resource=apps:Deployment:demo/web',
  '/applications/argocd/web?resource=apps:Deployment:demo/web&part=live',
  '/applications/argocd/web?resource=apps:Deployment:demo/web&part=target',
  '/applications/argocd/web?resource=apps:Deployment:demo/web&part=diff',
  '/applications/argocd/web?resource=apps:Deployment:demo/web&part=events',
  '/applications/argocd/web?resource=apps:Deployment:demo/web&part=logs',
  '/applications/argocd/web?dialog=sync',
  '/new-application',
  '/agents',
  '/tenants',
  '/images',
  '/syncs',
  '/queues',
  '/applicationsets',
  '/projects',
  '/repositories',
  '/clusters',
  '/accounts',
  '/settings',
] as const;

/** Those that the visual baseline has. */
export const mainViews = [
  '/applications',
  '/applications/argocd/web',
  '/applications/argocd/web?tree=network',
  '/applications/argocd/web?section=flow',
  '/applications/argocd/web?section=pods',
  '/applications/argocd/web?resource=apps:Deployment:demo/web',
  '/new-application',
  '/agents',
  '/applicationsets',
  '/settings',
] as const satisfies readonly (typeof views)[number][];

/** The name of a screenshot. */
export const nameOf = (view: string): string => view.replace(/\W+/gu, '-').replace(/^-|-$/gu, '');
