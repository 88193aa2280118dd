/** What a repository contains: answers about charts, kustomizations and directories, in the notation of the type table. */
export const repositoryDetails = `
RepoAppDetailsResponse
  1 type string | 3 helm *HelmAppSpec | 4 kustomize *KustomizeAppSpec | 5 directory *DirectoryAppSpec
  6 plugin *PluginAppSpec
HelmAppSpec
  1 name string | 3 valueFiles []string | 4 parameters []v1alpha1.HelmParameter | 5 values string
  6 fileParameters []v1alpha1.HelmFileParameter
KustomizeAppSpec
  3 images []string
DirectoryAppSpec
PluginAppSpec
  1 parametersAnnouncement []ParameterAnnouncement
ParameterAnnouncement
  1 name string | 2 title string | 3 tooltip string | 4 required boolean | 5 itemType string | 6 collectionType string
  7 string string | 8 array []string | 9 map {}string
HelmChartsResponse
  1 items []HelmChart
HelmChart
  1 name string | 2 versions []string
`;
