#ifndef HOLDFAST_CSQLITE_FUNCTIONS_H
#define HOLDFAST_CSQLITE_FUNCTIONS_H

#include <math.h>
#include <sqlite3.h>
#include <stdint.h>

// holdfast_add, _subtract, _multiply, _divide, _remainder: arithmetic that fails where a result does not fit.
//
// SQLite's own operators go on with a REAL where an integer overflows, and with NULL or an infinity where a REAL does. Decimals,
// which are text, are computed by Swift (DecimalFunctions.swift), which registers the same names for them.

/// The operations, as the functions' user data.
enum {
    HOLDFAST_ADD,
    HOLDFAST_SUBTRACT,
    HOLDFAST_MULTIPLY,
    HOLDFAST_DIVIDE,
    HOLDFAST_REMAINDER
};

static inline void holdfast_sqlite_integer_arithmetic(
    sqlite3_context *context, int operation, sqlite3_int64 left, sqlite3_int64 right
) {
    // The type that the builtins take; of the same width everywhere.
    long long result = 0;
    int overflows = 0;
    switch (operation) {
    case HOLDFAST_ADD: overflows = __builtin_saddll_overflow(left, right, &result); break;
    case HOLDFAST_SUBTRACT: overflows = __builtin_ssubll_overflow(left, right, &result); break;
    case HOLDFAST_MULTIPLY: overflows = __builtin_smulll_overflow(left, right, &result); break;
    default:
        if (right == 0) return;  // NULL
        if (right == -1) {
            // The one quotient that does not fit.
            overflows = operation == HOLDFAST_DIVIDE && left == INT64_MIN;
            result = operation == HOLDFAST_REMAINDER ? 0 : overflows ? 0 : -left;
        } else {
            result = operation == HOLDFAST_DIVIDE ? left / right : left % right;
        }
    }
    if (overflows) {
        sqlite3_result_error(context, "integer overflow", -1);
    } else {
        sqlite3_result_int64(context, result);
    }
}

static inline void holdfast_sqlite_real_arithmetic(
    sqlite3_context *context, int operation, double left, double right
) {
    double result = 0;
    switch (operation) {
    case HOLDFAST_ADD: result = left + right; break;
    case HOLDFAST_SUBTRACT: result = left - right; break;
    case HOLDFAST_MULTIPLY: result = left * right; break;
    default:
        if (right == 0) return;  // NULL
        result = left / right;
    }
    int isProduct = operation != HOLDFAST_ADD && operation != HOLDFAST_SUBTRACT;
    int underflows = isProduct && result == 0 && left != 0 && !isinf(right) && (operation == HOLDFAST_DIVIDE || right != 0);
    if (underflows || isnan(result) || (isinf(result) && !isinf(left) && !isinf(right))) {
        sqlite3_result_error(context, "real overflow", -1);
    } else {
        sqlite3_result_double(context, result);
    }
}

/// Computes with two integers, or two numbers one of which is REAL; of others the result is NULL.
///
/// - Returns: Whether it did.
static inline int holdfast_sqlite_number_arithmetic(
    sqlite3_context *context, int operation, sqlite3_value *left, sqlite3_value *right
) {
    int leftType = sqlite3_value_type(left), rightType = sqlite3_value_type(right);
    if (leftType == SQLITE_NULL || rightType == SQLITE_NULL) return 1;
    if (leftType == SQLITE_INTEGER && rightType == SQLITE_INTEGER) {
        holdfast_sqlite_integer_arithmetic(context, operation, sqlite3_value_int64(left), sqlite3_value_int64(right));
        return 1;
    }
    int isLeftNumber = leftType == SQLITE_INTEGER || leftType == SQLITE_FLOAT;
    int isRightNumber = rightType == SQLITE_INTEGER || rightType == SQLITE_FLOAT;
    if (!isLeftNumber || !isRightNumber) return 0;
    holdfast_sqlite_real_arithmetic(context, operation, sqlite3_value_double(left), sqlite3_value_double(right));
    return 1;
}

/// The sum of a group so far: of integers in twice their width, so that only the end has to fit.
typedef struct {
    __int128 integers;
    double reals;
    /// What the sum of the reals lost by rounding (Neumaier, 1974): where a great value leaves a window, the small ones
    /// are still there.
    double lost;
    sqlite3_int64 count;
    sqlite3_int64 realCount;
    /// Infinite values are counted: one that was added could not leave a window.
    sqlite3_int64 infinityCount;
    sqlite3_int64 negativeInfinityCount;
} holdfast_sqlite_sum;

static inline void holdfast_sqlite_sum_add(holdfast_sqlite_sum *sum, double real) {
    double total = sum->reals + real;
    sum->lost += fabs(sum->reals) >= fabs(real) ? (sum->reals - total) + real : (real - total) + sum->reals;
    sum->reals = total;
}

/// The sum as a real; it is infinite or no number where it overflows.
static inline double holdfast_sqlite_sum_real(holdfast_sqlite_sum *sum) {
    if (sum->infinityCount > 0) return sum->negativeInfinityCount > 0 ? NAN : INFINITY;
    if (sum->negativeInfinityCount > 0) return -INFINITY;
    return (isfinite(sum->lost) ? sum->reals + sum->lost : sum->reals) + (double)sum->integers;
}

static inline int holdfast_sqlite_sum_overflows(holdfast_sqlite_sum *sum, double real) {
    return isnan(real) || (isinf(real) && sum->infinityCount == 0 && sum->negativeInfinityCount == 0);
}

/// - Parameter sign: 1 to add a value, and -1 to take it back, as it leaves a window.
static inline void holdfast_sqlite_sum_change(sqlite3_context *context, sqlite3_value *value, int sign) {
    holdfast_sqlite_sum *sum = sqlite3_aggregate_context(context, sizeof(*sum));
    if (!sum) return sqlite3_result_error_nomem(context);
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        sum->count += sign;
        sum->integers += sign * (__int128)sqlite3_value_int64(value);
        return;
    case SQLITE_FLOAT: {
        double real = sqlite3_value_double(value);
        sum->count += sign;
        sum->realCount += sign;
        if (isinf(real)) {
            *(real > 0 ? &sum->infinityCount : &sum->negativeInfinityCount) += sign;
        } else {
            holdfast_sqlite_sum_add(sum, sign * real);
        }
    }
    }
}

static inline void holdfast_sqlite_sum_step(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    holdfast_sqlite_sum_change(context, values[0], 1);
}

static inline void holdfast_sqlite_sum_inverse(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    holdfast_sqlite_sum_change(context, values[0], -1);
}

static inline void holdfast_sqlite_sum_final(sqlite3_context *context) {
    holdfast_sqlite_sum *sum = sqlite3_aggregate_context(context, 0);
    if (!sum || sum->count == 0) return;
    if (sum->realCount > 0) {
        double result = holdfast_sqlite_sum_real(sum);
        if (holdfast_sqlite_sum_overflows(sum, result)) {
            sqlite3_result_error(context, "real overflow", -1);
        } else {
            sqlite3_result_double(context, result);
        }
    } else if (sum->integers < INT64_MIN || sum->integers > INT64_MAX) {
        sqlite3_result_error(context, "integer overflow", -1);
    } else {
        sqlite3_result_int64(context, (sqlite3_int64)sum->integers);
    }
}

static inline void holdfast_sqlite_average_final(sqlite3_context *context) {
    holdfast_sqlite_sum *sum = sqlite3_aggregate_context(context, 0);
    if (!sum || sum->count == 0) return;
    double result = holdfast_sqlite_sum_real(sum);
    if (holdfast_sqlite_sum_overflows(sum, result)) {
        sqlite3_result_error(context, "real overflow", -1);
    } else {
        sqlite3_result_double(context, result / (double)sum->count);
    }
}

/// The deviation of a group so far, by the method of Youngs and Cramer, as PostgreSQL has it.
typedef struct {
    double count;
    double sum;
    double squares;
    int overflows;
} holdfast_sqlite_deviation;

static inline int holdfast_sqlite_is_number(sqlite3_value *value) {
    // A decimal is text.
    return sqlite3_value_type(value) != SQLITE_NULL && sqlite3_value_type(value) != SQLITE_BLOB;
}

static inline void holdfast_sqlite_deviation_step(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    holdfast_sqlite_deviation *state = sqlite3_aggregate_context(context, sizeof(*state));
    if (!state) return sqlite3_result_error_nomem(context);
    if (!holdfast_sqlite_is_number(values[0])) return;
    double value = sqlite3_value_double(values[0]);
    double before = state->count, earlier = state->sum;
    state->count += 1;
    state->sum += value;
    if (before == 0) {
        if (!isfinite(value)) state->squares = NAN;
        return;
    }
    double difference = value * state->count - state->sum;
    state->squares += difference * difference / (state->count * before);
    if (isinf(state->sum) || isinf(state->squares)) {
        if (!isinf(earlier) && !isinf(value)) state->overflows = 1;
        state->squares = NAN;
    }
}

static inline void holdfast_sqlite_deviation_inverse(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    holdfast_sqlite_deviation *state = sqlite3_aggregate_context(context, sizeof(*state));
    if (!state) return sqlite3_result_error_nomem(context);
    if (!holdfast_sqlite_is_number(values[0])) return;
    double value = sqlite3_value_double(values[0]);
    double difference = value * state->count - state->sum;
    state->count -= 1;
    if (state->count > 0) state->squares -= difference * difference / ((state->count + 1) * state->count);
    if (state->count <= 1) state->squares = 0;
    state->sum -= value;
}

static inline void holdfast_sqlite_deviation_final(sqlite3_context *context) {
    holdfast_sqlite_deviation *state = sqlite3_aggregate_context(context, 0);
    if (!state || state->count < 2) return;
    if (state->overflows) return sqlite3_result_error(context, "real overflow", -1);
    // What is no number is NULL.
    sqlite3_result_double(context, sqrt(state->squares / (state->count - 1)));
}

/// Registers holdfast_sum, holdfast_average and holdfast_standard_deviation, for groups and for windows.
static inline int holdfast_sqlite_register_sum(sqlite3 *database) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int status = sqlite3_create_window_function(
        database, "holdfast_sum", 1, flags, 0, holdfast_sqlite_sum_step, holdfast_sqlite_sum_final,
        holdfast_sqlite_sum_final, holdfast_sqlite_sum_inverse, 0);
    if (status != SQLITE_OK) return status;
    status = sqlite3_create_window_function(
        database, "holdfast_average", 1, flags, 0, holdfast_sqlite_sum_step, holdfast_sqlite_average_final,
        holdfast_sqlite_average_final, holdfast_sqlite_sum_inverse, 0);
    if (status != SQLITE_OK) return status;
    return sqlite3_create_window_function(
        database, "holdfast_standard_deviation", 1, flags, 0, holdfast_sqlite_deviation_step,
        holdfast_sqlite_deviation_final, holdfast_sqlite_deviation_final, holdfast_sqlite_deviation_inverse, 0);
}

/// Gives a value that an integer of `bits` holds; of 0 bits a REAL, rounded to a float.
static inline void holdfast_sqlite_fitting(sqlite3_context *context, sqlite3_value *value, int bits) {
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL: return;
    case SQLITE_INTEGER: {
        sqlite3_int64 integer = sqlite3_value_int64(value);
        if (bits != 0 && (integer < -(1LL << (bits - 1)) || integer > (1LL << (bits - 1)) - 1)) {
            sqlite3_result_error(context, "integer overflow", -1);
        } else {
            sqlite3_result_value(context, value);
        }
        return;
    }
    case SQLITE_FLOAT: {
        double real = sqlite3_value_double(value);
        float narrow = (float)real;
        if (bits != 0 || (isinf(narrow) && !isinf(real))) {
            sqlite3_result_error(context, "real overflow", -1);
        } else {
            sqlite3_result_double(context, narrow);
        }
        return;
    }
    default: sqlite3_result_value(context, value);
    }
}

/// The digits of a decimal in plain text, for a comparison.
typedef struct {
    int sign;
    const char *whole;
    int wholeCount;
    const char *fraction;
    int fractionCount;
} holdfast_sqlite_decimal;

/// Reads a decimal; false if the text is none.
static inline int holdfast_sqlite_read_decimal(const char *text, int count, holdfast_sqlite_decimal *decimal) {
    int index = 0;
    decimal->sign = 1;
    if (index < count && (text[index] == '-' || text[index] == '+')) decimal->sign = text[index++] == '-' ? -1 : 1;
    while (index < count && text[index] == '0') index++;
    int hasDigits = index > 0 && text[index - 1] == '0';
    decimal->whole = text + index;
    while (index < count && text[index] >= '0' && text[index] <= '9') index++;
    decimal->wholeCount = (int)(text + index - decimal->whole);
    hasDigits |= decimal->wholeCount > 0;
    decimal->fraction = text + index;
    decimal->fractionCount = 0;
    if (index < count && text[index] == '.') {
        decimal->fraction = text + ++index;
        while (index < count && text[index] >= '0' && text[index] <= '9') index++;
        decimal->fractionCount = (int)(text + index - decimal->fraction);
        hasDigits |= decimal->fractionCount > 0;
        while (decimal->fractionCount > 0 && decimal->fraction[decimal->fractionCount - 1] == '0') decimal->fractionCount--;
    }
    if (decimal->wholeCount == 0 && decimal->fractionCount == 0) decimal->sign = 0;
    return hasDigits && index == count;
}

static inline int holdfast_sqlite_compare_bytes(const char *left, int leftCount, const char *right, int rightCount) {
    int common = leftCount < rightCount ? leftCount : rightCount;
    for (int index = 0; index < common; index++) {
        unsigned char one = (unsigned char)left[index], other = (unsigned char)right[index];
        if (one != other) return one < other ? -1 : 1;
    }
    return leftCount == rightCount ? 0 : leftCount < rightCount ? -1 : 1;
}

/// Compares decimals as numbers: what is none comes last, and among others of its kind by its bytes.
static inline int holdfast_sqlite_compare_decimals(
    void *unused, int leftCount, const void *leftText, int rightCount, const void *rightText
) {
    (void)unused;
    holdfast_sqlite_decimal left, right;
    int isLeft = holdfast_sqlite_read_decimal((const char *)leftText, leftCount, &left);
    int isRight = holdfast_sqlite_read_decimal((const char *)rightText, rightCount, &right);
    if (!isLeft || !isRight) {
        if (isLeft != isRight) return isLeft ? -1 : 1;
        return holdfast_sqlite_compare_bytes((const char *)leftText, leftCount, (const char *)rightText, rightCount);
    }
    if (left.sign != right.sign) return left.sign < right.sign ? -1 : 1;
    int order;
    if (left.wholeCount != right.wholeCount) {
        order = left.wholeCount < right.wholeCount ? -1 : 1;
    } else {
        order = holdfast_sqlite_compare_bytes(left.whole, left.wholeCount, right.whole, right.wholeCount);
        if (order == 0) {
            order = holdfast_sqlite_compare_bytes(
                left.fraction, left.fractionCount, right.fraction, right.fractionCount);
        }
    }
    return left.sign < 0 ? -order : order;
}

/// Registers the collation that orders decimals.
static inline int holdfast_sqlite_register_decimal_collation(sqlite3 *database) {
    return sqlite3_create_collation_v2(
        database, "holdfast_decimal", SQLITE_UTF8, 0, holdfast_sqlite_compare_decimals, 0);
}

#endif
