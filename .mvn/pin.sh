#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes .mvn/checksums anew: the SHA-256 of every jar and pom that the build takes from a repository. Run it after a
# version in a pom has changed, read the difference, and commit both together. Takes some minutes.

set -eu
cd "$(dirname "$0")/.."
pinned=.mvn/checksums/checksums.sha256
mkdir -p "${pinned%/*}"
: >"$pinned"
record=-Daether.artifactResolver.postProcessor.trustedChecksums.record=true
# Surefire loads what it runs tests with when there is one to run; a profile loads plugins of its own.
./mvnw -q -B -ntp "$record" -Pdist,release,thorough,pytorch,spark -DskipTests verify
./mvnw -q -B -ntp "$record" -Pquick,libraries -pl plugins-samples/buffer-javacpp -am -DskipTests verify
./mvnw -q -B -ntp "$record" -Pquick -pl spi test -Dtest='ApiTest,*SpecTest' -Dsurefire.failIfNoSpecifiedTests=false
# What Javadoc of the site needs; npm loads the rest, by the checksums of docs/site/package-lock.json.
./mvnw -q -B -ntp "$record" -Psite -N prepare-package
# What deploys and signs, of which no key is needed to load it.
./mvnw -q -B -ntp "$record" -Prelease,sign -N -f bom/pom.xml -Dgpg.skip=true deploy
rm -f "$pinned.bak"
wc -l "$pinned"
