#include "Words.h"

#include <stdarg.h>
#include <stdio.h>

// The proportions of Debian 12's main index for amd64: 63,436 packages, 2,248 maintainers, 58 sections and 278,000
// dependencies.

enum { packages_of_a_maintainer = 28, most_sections = 58 };

/// How many dependencies each twentieth of the packages has: none, up to fifteen, and 4.4 on average.
static const int dependency_counts[20] = {0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 8, 10, 13, 15};

static const char *const parts[] = {
    "core", "utils", "data", "common", "perl", "python", "devel", "tools", "plugin", "server", "client", "extra",
    "theme", "fonts", "lang", "doc",
};

static const char *part(Random *random) { return parts[below(random, sizeof parts / sizeof *parts)]; }

__attribute__((format(printf, 1, 2))) static FloorText formatted(const char *format, ...) {
    char buffer[128];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return copy_text(buffer, length);
}

/// Names in the order of their numbers, as in an index.
static FloorText make_name(Random *random, int64_t number) {
    char letters[5] = {0};
    for (int index = 3; index >= 0; index--, number /= 26) letters[index] = (char)('a' + number % 26);
    return formatted("%s-%s-%s", letters, part(random), part(random));
}

static FloorTexts make_texts(int64_t count) {
    return (FloorTexts){allocate((size_t)count * sizeof(FloorText)), count};
}

/// The package that a dependency leads to: more than half of them lead to the same hundredth of the packages.
static FloorPackage *make_target(Random *random, FloorCatalogue catalogue) {
    double number = (double)(next(random) >> 11) * 0x1p-53;
    for (int square = 0; square < 3; square++) number *= number;
    const int64_t rank = (int64_t)(number * (double)catalogue.package_count);
    // Anywhere in the order, by a prime.
    return &catalogue.packages[rank * 1000003 % catalogue.package_count];
}

static void make_links(
    Random *random, FloorCatalogue catalogue, int64_t count, FloorTexts *clauses, FloorPackageLinks *links) {
    *clauses = make_texts(count);
    *links = (FloorPackageLinks){allocate((size_t)count * sizeof(FloorPackage *)), count};
    for (int64_t index = 0; index < count; index++) {
        FloorPackage *target = make_target(random, catalogue);
        links->values[index] = target;
        clauses->values[index] = below(random, 2)
            ? copy_text(target->name.bytes, target->name.length)
            : formatted("%s (>= %s)", target->name.bytes, target->version.bytes);
    }
}

static FloorPackage make_package(Random *random, FloorCatalogue catalogue, int64_t number) {
    FloorPackage package = {
        .name = make_name(random, number),
        .architecture = formatted(below(random, 2) ? "amd64" : "all"),
        .version = formatted(
            "%d.%d.%d-%d", (int)below(random, 20), (int)below(random, 100), (int)below(random, 30),
            (int)below(random, 9)),
        .priority = formatted(below(random, 200) ? "optional" : "extra"),
        .summary = make_words(random, 42),
        .installed_size = below(random, 20000),
        .is_essential = below(random, 1000) == 0,
        .section = &catalogue.sections.values[below(random, catalogue.sections.count)],
        .maintainer = &catalogue.maintainers[below(random, catalogue.maintainer_count)],
        .provided_names = make_texts(below(random, 100) < 15 ? 1 + below(random, 7) : 0),
        .tags = make_texts(below(random, 100) < 44 ? 2 + below(random, 5) : 0),
    };
    package.homepage = formatted("https://www.example.org/%s/", package.name.bytes);
    for (int64_t index = 0; index < package.provided_names.count; index++) {
        package.provided_names.values[index] = formatted("%s-%s-%d", package.name.bytes, part(random), (int)index);
    }
    for (int64_t index = 0; index < package.tags.count; index++) {
        package.tags.values[index] = formatted("%s::%s", part(random), part(random));
    }
    return package;
}

FloorCatalogue floor_make_catalogue(int64_t package_count) {
    Random random = {5};
    FloorCatalogue catalogue = {
        .package_count = package_count,
        .maintainer_count = (package_count + packages_of_a_maintainer - 1) / packages_of_a_maintainer,
        .sections = make_texts(package_count < most_sections ? package_count : most_sections),
    };
    for (int64_t index = 0; index < catalogue.sections.count; index++) {
        catalogue.sections.values[index] = formatted("%s-%02d", part(&random), (int)index);
    }
    catalogue.maintainers = allocate((size_t)catalogue.maintainer_count * sizeof *catalogue.maintainers);
    for (int64_t index = 0; index < catalogue.maintainer_count; index++) {
        catalogue.maintainers[index] = (FloorMaintainer){
            .name = make_words(&random, 12),
            .mail = formatted("%s-%d@example.org", part(&random), (int)index),
        };
    }
    catalogue.packages = allocate((size_t)package_count * sizeof *catalogue.packages);
    for (int64_t index = 0; index < package_count; index++) {
        catalogue.packages[index] = make_package(&random, catalogue, index);
    }
    for (int64_t index = 0; index < package_count; index++) {
        FloorPackage *package = &catalogue.packages[index];
        make_links(
            &random, catalogue, dependency_counts[below(&random, 20)], &package->dependency_clauses,
            &package->dependencies);
        make_links(
            &random, catalogue, below(&random, 66) == 0, &package->pre_dependency_clauses, &package->pre_dependencies);
    }
    return catalogue;
}

static void free_texts(FloorTexts texts) {
    for (int64_t index = 0; index < texts.count; index++) free(texts.values[index].bytes);
    free(texts.values);
}

void floor_free_catalogue(FloorCatalogue catalogue) {
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        FloorPackage *package = &catalogue.packages[index];
        free(package->name.bytes);
        free(package->architecture.bytes);
        free(package->version.bytes);
        free(package->priority.bytes);
        free(package->homepage.bytes);
        free(package->summary.bytes);
        free_texts(package->dependency_clauses);
        free_texts(package->pre_dependency_clauses);
        free_texts(package->provided_names);
        free_texts(package->tags);
        free(package->dependencies.values);
        free(package->pre_dependencies.values);
    }
    free(catalogue.packages);
    for (int64_t index = 0; index < catalogue.maintainer_count; index++) {
        free(catalogue.maintainers[index].name.bytes);
        free(catalogue.maintainers[index].mail.bytes);
    }
    free(catalogue.maintainers);
    free_texts(catalogue.sections);
}

int64_t floor_catalogue_rows(int64_t package_count) {
    const FloorCatalogue catalogue = floor_make_catalogue(package_count);
    int64_t rows = package_count + catalogue.maintainer_count + catalogue.sections.count;
    for (int64_t index = 0; index < package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        rows += package->dependency_clauses.count + package->pre_dependency_clauses.count;
        rows += package->provided_names.count + package->tags.count;
        rows += package->dependencies.count + package->pre_dependencies.count;
    }
    floor_free_catalogue(catalogue);
    return rows;
}
